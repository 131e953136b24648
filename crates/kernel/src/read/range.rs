//! Lists in the order of a sortable lookup.

use pavise_contract::common::v1::{Date, Money};
use pavise_contract::table::SortKind;
use prost_types::Timestamp;

use crate::call::Call;
use crate::entity::aggregate::Aggregate;
use crate::error::{Error, Result};
use crate::port::store::storable;
use crate::port::store::{self, fold_value};
use crate::read::page_token::of_no_list;
use crate::read::{Page, digest_of, lookup};
use crate::time;

/// A range of a lookup, and its order.
#[derive(Debug, Clone, Default)]
pub struct ListRange {
    /// The lookup's name.
    pub lookup: &'static str,
    /// The smallest value, as [`SortKey::key`] writes it; empty for none.
    pub from: String,
    /// The greatest value; empty for none.
    pub until: String,
    /// Whether the request asks for the ascending order.
    pub ascending: bool,
    /// Whether the request asks for the descending order.
    pub descending: bool,
}

/// A value of a sortable lookup, as a text. The texts, compared byte by byte, have the order of the values. The engines
/// make the same texts from documents.
pub trait SortKey {
    /// The text; empty if there is no value.
    fn key(&self) -> String;
}

impl SortKey for String {
    fn key(&self) -> String {
        self.clone()
    }
}

impl SortKey for Date {
    fn key(&self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl SortKey for Timestamp {
    fn key(&self) -> String {
        let (day, second) = (time::from_days(self.seconds.div_euclid(86_400)), self.seconds.rem_euclid(86_400));
        let nanos = self.nanos.clamp(0, 999_999_999);
        let fraction = match nanos {
            0 => String::new(),
            _ if nanos % 1_000_000 == 0 => format!(".{:03}", nanos / 1_000_000),
            _ if nanos % 1_000 == 0 => format!(".{:06}", nanos / 1_000),
            _ => format!(".{nanos:09}"),
        };
        format!("{}T{:02}:{:02}:{:02}{fraction}", day.key(), second / 3600, second / 60 % 60, second % 60)
    }
}

impl SortKey for i32 {
    fn key(&self) -> String {
        (SortKind::ZERO + i64::from(*self)).to_string()
    }
}

impl SortKey for Money {
    fn key(&self) -> String {
        SortKind::ZERO.saturating_add(self.amount).to_string()
    }
}

impl<T: SortKey> SortKey for Option<T> {
    fn key(&self) -> String {
        self.as_ref().map(SortKey::key).unwrap_or_default()
    }
}

impl Call {
    /// A page in the order of a lookup, if the request asks for a range or for the order; else as [`Call::page_of`].
    ///
    /// # Errors
    /// As [`Call::page`].
    pub async fn page_in_order<A: Aggregate>(
        &self,
        role: Option<&'static str>,
        sort_range: ListRange,
        page: Page<'_>,
    ) -> Result<(Vec<A>, String)> {
        if sort_range.from.is_empty() && sort_range.until.is_empty() && !sort_range.ascending && !sort_range.descending
        {
            return self.page_of(role, page).await;
        }
        let size = page.rows()?;
        let Some(mut filter) = self.filter_of::<A>(role, &page.filters)? else { return page.build_empty() };
        let mut asked = asked::<A>(&sort_range)?;
        let range = format!(
            "{}\n{}\n{}\n{}\n{}\n",
            A::TABLE.name,
            sort_range.lookup,
            asked.from,
            asked.until,
            asked.descending
        );
        let digest = digest_of(&range, &filter);
        if !page.token.is_empty() {
            asked.after = Some(place(&self.page_place(&digest, page.token)?, &asked)?);
        }
        let most = usize::try_from(size).unwrap_or(usize::MAX);
        (filter.limit, filter.sort_range) = (size + 1, Some(asked));
        let mut rows = self.kernel().store().list(A::TABLE, &filter).await?;
        let more = rows.len() > most;
        rows.truncate(most);
        let entities: Vec<A> = rows.iter().map(|row| self.kernel().documents().read(row)).collect::<Result<_>>()?;
        let token = entities.last().filter(|_| more).map(|last| {
            let (value, id) = (value::<A>(last, sort_range.lookup), last.head().id);
            self.page_token(&digest, &format!("{value}\0{id}"))
        });
        Ok((entities, token.unwrap_or_default()))
    }
}

/// The value of an entity by which a lookup orders it.
pub(crate) fn value<A: Aggregate>(entity: &A, name: &str) -> String {
    let value = entity.sort_value(name);
    A::TABLE.lookup(name).map_or_else(String::new, |lookup| fold_value(lookup, &value).into_owned())
}

/// The range for the store.
pub(crate) fn asked<A: Aggregate>(sort_range: &ListRange) -> Result<store::StoredRange> {
    let lookup = lookup::<A>(sort_range.lookup)?;
    let [from, until] = [&sort_range.from, &sort_range.until].map(|value| fold_value(lookup, value).into_owned());
    if ![&from, &until].into_iter().all(|value| storable(value)) {
        return Err(Error::field(sort_range.lookup, "cannot have the NUL character"));
    }
    Ok(store::StoredRange { lookup, from, until, descending: sort_range.descending, after: None })
}

/// The value and the id in a page token. The value lies in the range.
fn place(text: &str, range: &store::StoredRange) -> Result<(String, String)> {
    let mut parts = text.split('\0');
    let (value, id) = parts.next().zip(parts.next()).filter(|_| parts.next().is_none()).ok_or_else(of_no_list)?;
    let within = value >= range.from.as_str() && (range.until.is_empty() || value <= range.until.as_str());
    if id.is_empty() || !within { Err(of_no_list()) } else { Ok((value.to_owned(), id.to_owned())) }
}

#[cfg(test)]
mod tests {
    use pavise_contract::table::Lookup;

    use super::*;

    /// Whether the keys of these values, in their order, rise.
    fn sort_range<T: SortKey>(values: &[T]) {
        let keys: Vec<String> = values.iter().map(SortKey::key).collect();
        assert!(keys.is_sorted_by(|left, right| left < right), "{keys:?}");
    }

    #[test]
    fn keys_ascend_as_their_values_do() {
        let date = |year: i32, month: i32, day: i32| Some(Date { year, month, day });
        sort_range(&[None, date(1, 1, 1), date(999, 12, 31), date(2026, 2, 9), date(2026, 2, 10), date(2026, 10, 1)]);
        let at = |seconds: i64, nanos: i32| Timestamp { seconds, nanos };
        sort_range(&[
            at(-1, 999_999_999),
            at(0, 0),
            at(0, 1),
            at(0, 500_000_000),
            at(0, 500_000_001),
            at(0, 500_001_000),
            at(1, 0),
        ]);
        sort_range(&[i32::MIN, -10, -9, -1, 0, 1, 9, 10, i32::MAX]);
        let money = |amount: i64| Some(Money { currency: 1, amount });
        sort_range(&[None, money(-10_000_000_000), money(-1), money(0), money(99), money(100), money(10_000_000_000)]);
    }

    #[test]
    fn an_instant_has_the_text_of_its_document() {
        assert_eq!(Timestamp { seconds: 1_770_000_000, nanos: 500_000_000 }.key(), "2026-02-02T02:40:00.500");
        assert_eq!(Timestamp { seconds: 1_770_000_000, nanos: 0 }.key(), "2026-02-02T02:40:00");
        assert_eq!(Timestamp { seconds: 0, nanos: 1_000 }.key(), "1970-01-01T00:00:00.000001");
    }

    #[test]
    fn a_place_is_a_value_in_the_range_and_an_id() {
        const DUE: Lookup = Lookup {
            name: "due_on",
            json: "dueOn",
            unique: false,
            fold: false,
            many: false,
            prefix: false,
            sortable: Some(SortKind::Day),
            ..Lookup::PLAIN
        };
        let range = |from: &str, until: &str| store::StoredRange {
            lookup: &DUE,
            from: from.to_owned(),
            until: until.to_owned(),
            descending: false,
            after: None,
        };
        let day = || ("2026-01-01".to_owned(), "id".to_owned());
        for (from, until) in [("", ""), ("2026-01-01", "2026-01-01"), ("2025-12-31", "2026-01-02")] {
            assert_eq!(place("2026-01-01\0id", &range(from, until)).unwrap(), day());
        }
        assert_eq!(place("\0id", &range("", "")).unwrap(), (String::new(), "id".to_owned()));
        for odd in ["", "id", "value\0", "a\0b\0c"] {
            assert!(place(odd, &range("", "")).is_err(), "{odd:?}");
        }
        for (from, until) in [("2026-01-02", ""), ("", "2025-12-31")] {
            assert!(place("2026-01-01\0id", &range(from, until)).is_err(), "{from} {until}");
        }
    }
}
