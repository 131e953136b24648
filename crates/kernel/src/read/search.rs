//! Finds entities by the prefix of a value, and by several criteria that all hold.

mod sought;

use pavise_contract::table::{RateLimit, RateLimitScope, Realm};

pub use sought::{Criterion, Search};

use crate::call::Call;
use crate::entity::aggregate::{Aggregate, Recipient};
use crate::error::{Error, Result};
use crate::port::store::{Filter, Range, storable};
use crate::read::page_token::of_no_list;
use crate::read::search::sought::{COUNTED_AT_MOST, Sought, Values, criteria, said};
use crate::read::{Page, digest_of};

/// Values read for one page at most. A filter that excludes most of them ends the page early.
const READ_AT_MOST: usize = 2_000;
/// Values read at once.
const AT_ONCE: usize = 500;

/// The position of a search: the choice that it reads by, the place, and the last value and id read there.
#[derive(Debug, Default, PartialEq, Eq)]
struct SearchPosition {
    by: usize,
    way: usize,
    after: Option<(String, String)>,
}

impl Call {
    /// A page of the entities that the caller may see and that have a value with the prefix, each entity once. They
    /// come in the order of the places, and of the values within each; or in the order of the values of a criterion, if
    /// it has fewer entities than the text. A short or empty page is not always the last: only an empty token ends the
    /// list.
    ///
    /// # Errors
    /// `TOO_MANY_CALLS`, `INVALID_PAGE_TOKEN`, `INVALID_FIELD`.
    pub async fn search<A: Aggregate>(&self, search: Search<'_>, page: Page<'_>) -> Result<(Vec<A>, String)> {
        let parts = self.parts();
        let rate_limit = RateLimit { per: RateLimitScope::Caller, count: search.per_minute, seconds: 60 };
        self.kernel().counts().check_rate_limits(
            &parts.limited_call(Recipient::Unknown),
            &[rate_limit],
            parts.machine_now,
        )?;
        let text = search.text.trim();
        let criteria = criteria::<A>(search.criteria)?;
        if text.is_empty() && criteria.is_empty() {
            return self.list_page(page).await;
        }
        if !storable(text) {
            return Err(Error::field("text", "cannot have the NUL character"));
        }
        let size = usize::try_from(page.rows()?).unwrap_or(usize::MAX);
        let Some(filter) = self.filter::<A>(&page.filters)? else { return page.build_empty() };
        let digest = digest_of(&format!("{}\n{text}\n{}", A::TABLE.name, said(&criteria)), &filter);
        let sought = Sought::new::<A>(&search, text, criteria)?;
        // A caller who does not see all entities learns nothing of the others: not even that a page ends because of
        // them, or which of two values has fewer.
        let skips = !matches!(self.caller().realm, Realm::Internal | Realm::Machine);
        let mut place = if page.token.is_empty() {
            let by = if skips { sought.uncounted() } else { self.find_rarest::<A>(&sought).await? };
            SearchPosition { by, ..SearchPosition::default() }
        } else {
            SearchPosition::read(&self.page_place(&digest, page.token)?, sought.uncounted())?
        };
        let ways = sought.ways(place.by).ok_or_else(of_no_list)?;
        let (mut found, mut read, mut limit) = (Vec::new(), 0, size.saturating_add(1));
        while let Some(way) = ways.get(place.way) {
            let limited = u32::try_from(limit).unwrap_or(u32::MAX);
            let range = Range { skips, ..way.range(place.after.clone(), filter.clone(), limited) };
            let matches = self.kernel().store().range(A::TABLE, &range).await?;
            let last = matches.len() < limit;
            read += matches.len();
            // The limit doubles, so that a small page with a strict filter does not need many small reads.
            limit = limit.saturating_mul(2).min(AT_ONCE);
            for one in matches {
                if let Some(row) = &one.row {
                    let entity: A = self.kernel().documents().read(row)?;
                    let values = Values::of(&entity);
                    let here = values.first(&ways) == Some((place.way, one.value.as_str()));
                    if here && sought.finds(&values) {
                        if found.len() == size {
                            return Ok((found, self.page_token(&digest, &place.text())));
                        }
                        found.push(entity);
                    }
                }
                place.after = Some((one.value, one.id));
            }
            if last {
                place = SearchPosition { way: place.way + 1, after: None, ..place };
            } else if read >= READ_AT_MOST {
                return Ok((found, self.page_token(&digest, &place.text())));
            }
        }
        Ok((found, String::new()))
    }

    /// The choice that the search reads by. The engine counts the values of each up to a limit, unless there is only one.
    async fn find_rarest<A: Aggregate>(&self, sought: &Sought) -> Result<usize> {
        if sought.choices() < 2 {
            return Ok(sought.uncounted());
        }
        let ranges: Vec<Range> =
            sought.counted().map(|way| way.range(None, Filter::default(), COUNTED_AT_MOST)).collect();
        let counts = self.kernel().store().count_ranges(A::TABLE, &ranges).await?;
        Ok(sought.rarest(&counts))
    }
}

impl SearchPosition {
    /// The place as text, for a page token.
    fn text(&self) -> String {
        let (value, id) = self.after.clone().unwrap_or_default();
        format!("{}\0{value}\0{id}\0{}", self.way, self.by)
    }

    /// Earlier versions of the program did not count: a place of theirs has no choice.
    fn read(text: &str, uncounted: usize) -> Result<Self> {
        let parts: Vec<&str> = text.split('\0').collect();
        let (way, value, id, by) = match *parts.as_slice() {
            [way, value, id] => (way, value, id, Some(uncounted)),
            [way, value, id, by] => (way, value, id, by.parse().ok()),
            _ => return Err(of_no_list()),
        };
        let (way, by) = way.parse::<usize>().ok().zip(by).ok_or_else(of_no_list)?;
        let after = (!id.is_empty()).then(|| (value.to_owned(), id.to_owned()));
        Ok(Self { by, way, after })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written() {
        let read = |parts: &[&str]| SearchPosition::read(&parts.join("\0"), 2).ok();
        let place = SearchPosition { by: 3, way: 1, after: Some(("smith".into(), "id-1".into())) };
        assert_eq!(SearchPosition::read(&place.text(), 2).ok(), Some(place));
        let earlier = SearchPosition { by: 2, way: 1, after: Some(("smith".into(), "id-1".into())) };
        assert_eq!(read(&["1", "smith", "id-1"]), Some(earlier), "of an earlier version");
        assert_eq!(read(&["1", "", "", "3"]), Some(SearchPosition { by: 3, way: 1, after: None }));
        for odd in [
            &[] as &[&str],
            &["1"],
            &["1", "smith"],
            &["x", "", "", "0"],
            &["1", "", "", "x"],
            &["1", "", "", ""],
            &["1", "", "", "0", ""],
        ] {
            assert_eq!(read(odd), None, "{odd:?}");
        }
    }
}
