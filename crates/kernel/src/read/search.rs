//! Finds entities by the prefix of a value, and by several criteria that all hold.

mod sought;

use pavise_contract::table::{RateLimit, RateLimitScope, Realm};

pub use sought::{Criterion, Search};

use crate::call::Call;
use crate::entity::aggregate::{Aggregate, Recipient};
use crate::error::{Error, Result};
use crate::port::store::{Filter, Range, storable};
use crate::read::page_token::of_no_list;
use crate::read::search::sought::{COUNTED_AT_MOST, Sought, Values, Way, criteria, said};
use crate::read::{Page, digest_of};

/// Values read for one page at most. A filter that excludes most of them ends the page early.
const READ_AT_MOST: usize = 2_000;
/// Values read at once.
const AT_ONCE: usize = 500;

/// A page of a search, which may be answered up to any of its entities.
#[derive(Debug)]
pub struct SearchPage<A> {
    /// The entities, in the order of the search.
    pub entities: Vec<A>,
    /// The token of the next page; empty if there is none.
    pub next_page_token: String,
    places: Vec<SearchPosition>,
    digest: String,
}

/// The position of a search: the choice that it reads by, the place, and the last value and id read there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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
        let found = self.search_for(search, page).await?;
        Ok((found.entities, found.next_page_token))
    }

    /// The token of the page that begins after so many of the entities found.
    #[must_use]
    pub fn page_token_after<A>(&self, found: &SearchPage<A>, entities: usize) -> String {
        let place = entities.checked_sub(1).and_then(|last| found.places.get(last));
        place.map_or_else(String::new, |place| self.page_token(&found.digest, &place.text()))
    }

    /// The same as [`Call::search`], for a caller that may answer a part of the page.
    ///
    /// # Errors
    /// As [`Call::search`].
    pub async fn search_for<A: Aggregate>(&self, search: Search<'_>, page: Page<'_>) -> Result<SearchPage<A>> {
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
            let (entities, next_page_token) = self.list_page(page).await?;
            return Ok(SearchPage { entities, next_page_token, places: Vec::new(), digest: String::new() });
        }
        if !storable(text) {
            return Err(Error::field("text", "cannot have the NUL character"));
        }
        let size = usize::try_from(page.rows()?).unwrap_or(usize::MAX);
        let Some(filter) = self.filter::<A>(&page.filters)? else {
            let (entities, next_page_token) = page.build_empty()?;
            return Ok(SearchPage { entities, next_page_token, places: Vec::new(), digest: String::new() });
        };
        let digest = digest_of(&format!("{}\n{text}\n{}", A::TABLE.name, said(&criteria)), &filter);
        let sought = Sought::new::<A>(&search, text, criteria)?;
        // A caller who does not see all entities learns nothing of the others: not even that a page ends because of
        // them, or which of two values has fewer.
        let skips = !matches!(self.caller().realm, Realm::Internal | Realm::Machine);
        let mut counts = Vec::new();
        let mut place = if page.token.is_empty() {
            if !skips {
                counts = self.count_values::<A>(&sought).await?;
            }
            let by = if counts.is_empty() { sought.uncounted() } else { sought.rarest(&counts) };
            SearchPosition { by, ..SearchPosition::default() }
        } else {
            SearchPosition::read(&self.page_place(&digest, page.token)?, sought.uncounted())?
        };
        let ways = sought.ways(place.by).ok_or_else(of_no_list)?;
        let empty = sought.list_empty(place.by, &counts);
        let (mut found, mut places, mut read, mut limit) = (Vec::new(), Vec::new(), 0, size.saturating_add(1));
        while let Some(way) = ways.get(place.way) {
            if empty.get(place.way) == Some(&true) {
                place = SearchPosition { way: place.way + 1, after: None, ..place };
                continue;
            }
            // Where rows are passed over, the time must not tell of them.
            let needs = if skips { Vec::new() } else { sought.needs(place.by, place.way) };
            // The engine passes over most entities of a value where they need others besides.
            let at_once = if needs.is_empty() { limit } else { AT_ONCE };
            let earlier: Vec<&Way> =
                ways.iter().zip(&empty).take(place.way).filter(|(_, empty)| !**empty).map(|(way, _)| *way).collect();
            let compares = !skips && sought.compares_all(place.by, place.way);
            let range = Range {
                skips,
                needs,
                without: search.without.to_vec(),
                // Several words of an entity may begin alike. Only the first one leads to it.
                once: !skips && !way.is_exact(),
                most: u32::try_from(size.saturating_sub(found.len()).saturating_add(1)).unwrap_or(u32::MAX),
                ..way.range(place.after.clone(), filter.clone(), u32::try_from(at_once).unwrap_or(u32::MAX))
            };
            let found_page = self.kernel().store().range(A::TABLE, &range).await?;
            read += found_page.read;
            // The limit doubles, so that a small page with a strict filter does not need many small reads.
            limit = limit.saturating_mul(2).min(AT_ONCE);
            for one in found_page.matches {
                let entity: A = self.kernel().documents().read(&one.row)?;
                // The engine has compared what there is to compare, but for the ways before this one.
                let is_found = if compares {
                    way.leads_to(&one.value) && !Values::among(&entity, &earlier).is_led_to(&earlier)
                } else {
                    let values = Values::of(&entity, &sought);
                    values.first(&ways) == Some((place.way, one.value.as_str())) && sought.finds(&values)
                };
                if is_found {
                    if found.len() == size {
                        let next_page_token = self.page_token(&digest, &place.text());
                        return Ok(SearchPage { entities: found, next_page_token, places, digest });
                    }
                    found.push(entity);
                    places.push(SearchPosition { after: Some((one.value.clone(), one.id.clone())), ..place });
                }
                place.after = Some((one.value, one.id));
            }
            place.after = found_page.last.or(place.after);
            if !found_page.goes_on {
                place = SearchPosition { way: place.way + 1, after: None, ..place };
            } else if read >= READ_AT_MOST {
                let next_page_token = self.page_token(&digest, &place.text());
                return Ok(SearchPage { entities: found, next_page_token, places, digest });
            }
        }
        Ok(SearchPage { entities: found, next_page_token: String::new(), places, digest })
    }

    /// The number of values of each way that the search may read, up to a limit; nothing where there is one way alone.
    async fn count_values<A: Aggregate>(&self, sought: &Sought) -> Result<Vec<u32>> {
        let counted: Vec<&Way> = sought.counted().collect();
        if counted.len() < 2 {
            return Ok(Vec::new());
        }
        let ranges: Vec<Range> =
            counted.into_iter().map(|way| way.range(None, Filter::default(), COUNTED_AT_MOST)).collect();
        Ok(self.kernel().store().count_ranges(A::TABLE, &ranges).await?)
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
