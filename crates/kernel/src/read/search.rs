//! Finds entities by the prefix of a value, and by several criteria that all hold.

use pavise_contract::table::{Lookup, RateLimit, RateLimitScope, Realm};

use crate::call::Call;
use crate::entity::aggregate::{Aggregate, Recipient};
use crate::entity::words::words_of_query;
use crate::error::{Error, Result};
use crate::port::store::storable;
use crate::port::store::{Filter, Range, fold_value};
use crate::read::page_token::of_no_list;
use crate::read::{Page, digest_of, lookup};

/// Values read for one page at most. A filter that excludes most of them ends the page early.
const READ_AT_MOST: usize = 2_000;
/// Values read at once.
const AT_ONCE: usize = 500;

/// The parameters of a search.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    /// The prefix, without the spaces around it. An empty prefix gives the plain list.
    pub text: &'a str,
    /// The places to search, in this order: lookups with `prefix`, and `id`.
    pub lookups: &'a [&'static str],
    /// Searches that one caller may make in a minute.
    pub per_minute: u32,
    /// The lookup of words, which is searched last: an entity has a value for each word of the text. Empty for none.
    pub words: &'static str,
    /// Criteria that an entity has to meet. Empty texts ask for nothing.
    pub criteria: &'a [Criterion<'a>],
}

/// A text that a value of a lookup begins with, or is.
#[derive(Debug, Clone, Copy)]
pub struct Criterion<'a> {
    /// The lookup, which has `prefix`.
    pub lookup: &'static str,
    /// The text, without the spaces around it.
    pub text: &'a str,
    /// Whether the text is the whole value.
    pub exact: bool,
}

/// One place to search (a lookup or the ids), and the prefix of its values.
struct Way {
    lookup: Option<&'static Lookup>,
    prefix: String,
    /// Whether the prefix is the whole value.
    exact: bool,
}

impl Way {
    fn leads_to(&self, value: &str) -> bool {
        if self.exact { value == self.prefix } else { value.starts_with(&self.prefix) }
    }
}

/// The position of a search: the place, and the last value and id read there.
#[derive(Default)]
struct SearchPosition {
    way: usize,
    after: Option<(String, String)>,
}

impl Call {
    /// A page of the entities that the caller may see and that have a value with the prefix, each entity once. They
    /// come in the order of the places, and of the values within each. A short or empty page is not always the last:
    /// only an empty token ends the list.
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
        let mut place = if page.token.is_empty() {
            SearchPosition::default()
        } else {
            SearchPosition::read(&self.page_place(&digest, page.token)?)?
        };
        let mut ways = if text.is_empty() { first_of::<A>(search.criteria)? } else { ways::<A>(search.lookups, text)? };
        let mut words = if text.is_empty() { Vec::new() } else { words::<A>(search.words, text)? };
        // The longest word has the fewest entities: its values are read. The entities found there need all other words.
        let by_words = words.pop().map(|longest| {
            ways.push(longest);
            ways.len().saturating_sub(1)
        });
        // A caller who does not see all entities learns nothing of the others: not even that a page ends because of them.
        let skips = !matches!(self.caller().realm, Realm::Internal | Realm::Machine);
        let (mut found, mut read, mut limit) = (Vec::new(), 0, size.saturating_add(1));
        while let Some(way) = ways.get(place.way) {
            let limited = u32::try_from(limit).unwrap_or(u32::MAX);
            let range = Range { skips, ..range(way, &place, &filter, limited) };
            let matches = self.kernel().store().range(A::TABLE, &range).await?;
            let last = matches.len() < limit;
            read += matches.len();
            // The limit doubles, so that a small page with a strict filter does not need many small reads.
            limit = limit.saturating_mul(2).min(AT_ONCE);
            for one in matches {
                if let Some(row) = &one.row {
                    let entity: A = self.kernel().documents().read(row)?;
                    let values = Values::of(&entity);
                    let here = values.first(&ways).is_some_and(|(way, value)| way == place.way && value == one.value);
                    let has_words = by_words != Some(place.way) || values.meet(&words);
                    if here && has_words && values.meet(&criteria) {
                        if found.len() == size {
                            return Ok((found, self.page_token(&digest, &place.text())));
                        }
                        found.push(entity);
                    }
                }
                place.after = Some((one.value, one.id));
            }
            if last {
                place = SearchPosition { way: place.way + 1, after: None };
            } else if read >= READ_AT_MOST {
                return Ok((found, self.page_token(&digest, &place.text())));
            }
        }
        Ok((found, String::new()))
    }
}

fn ways<A: Aggregate>(lookups: &[&'static str], text: &str) -> Result<Vec<Way>> {
    let way = |name: &&'static str| {
        if *name == "id" {
            return Ok(Way { lookup: None, prefix: text.to_ascii_lowercase(), exact: false });
        }
        let lookup = lookup::<A>(name)?;
        Ok(Way { lookup: Some(lookup), prefix: fold_value(lookup, text).into_owned(), exact: false })
    };
    lookups.iter().map(way).collect()
}

/// The words of a text in the lookup of words, the longest last.
fn words<A: Aggregate>(name: &'static str, text: &str) -> Result<Vec<Way>> {
    if name.is_empty() {
        return Ok(Vec::new());
    }
    let lookup = lookup::<A>(name)?;
    let mut words = words_of_query(text);
    words.sort_by_key(String::len);
    Ok(words.into_iter().map(|prefix| Way { lookup: Some(lookup), prefix, exact: false }).collect())
}

/// The criteria that have a text.
fn criteria<A: Aggregate>(asked: &[Criterion<'_>]) -> Result<Vec<Way>> {
    let set = asked.iter().map(|one| (one, one.text.trim())).filter(|(_, text)| !text.is_empty());
    let way = |(one, text): (&Criterion<'_>, &str)| {
        if !storable(text) {
            return Err(Error::field(one.lookup, "cannot have the NUL character"));
        }
        let lookup = lookup::<A>(one.lookup)?;
        Ok(Way { lookup: Some(lookup), prefix: fold_value(lookup, text).into_owned(), exact: one.exact })
    };
    set.map(way).collect()
}

/// The place to search for the first of the criteria.
fn first_of<A: Aggregate>(asked: &[Criterion<'_>]) -> Result<Vec<Way>> {
    let mut all = criteria::<A>(asked)?;
    all.truncate(1);
    Ok(all)
}

/// The criteria as text, for the digest of a page token.
fn said(criteria: &[Way]) -> String {
    let name = |way: &Way| way.lookup.map_or("id", |lookup| lookup.name);
    criteria.iter().map(|way| format!("{}\n{}\n{}\n", name(way), way.prefix, way.exact)).collect()
}

fn range(way: &Way, place: &SearchPosition, filter: &Filter, limit: u32) -> Range {
    let (lookup, prefix, after) = (way.lookup, way.prefix.clone(), place.after.clone());
    Range { lookup, prefix, after, filter: filter.clone(), limit, skips: false }
}

/// The values by which an entity is found.
struct Values<'a> {
    id: &'a str,
    folded: Vec<(&'static Lookup, String)>,
}

impl<'a> Values<'a> {
    fn of<A: Aggregate>(entity: &'a A) -> Self {
        let fold = |(lookup, value): (&'static Lookup, String)| (lookup, fold_value(lookup, &value).into_owned());
        Self { id: entity.head().id, folded: entity.lookups().into_iter().map(fold).collect() }
    }

    /// The value that a search meets first.
    fn first(&self, ways: &[Way]) -> Option<(usize, String)> {
        ways.iter().enumerate().find_map(|(at, way)| {
            let Some(lookup) = way.lookup else {
                return way.leads_to(self.id).then(|| (at, self.id.to_owned()));
            };
            let begin_so = self.folded.iter().filter(|(of, value)| of.name == lookup.name && way.leads_to(value));
            begin_so.map(|(_, value)| value).min().map(|value| (at, value.clone()))
        })
    }

    /// Whether the entity meets all criteria.
    fn meet(&self, criteria: &[Way]) -> bool {
        criteria.iter().all(|one| self.first(std::slice::from_ref(one)).is_some())
    }
}

impl SearchPosition {
    /// The place as text, for a page token.
    fn text(&self) -> String {
        let (value, id) = self.after.clone().unwrap_or_default();
        format!("{}\0{value}\0{id}", self.way)
    }

    fn read(text: &str) -> Result<Self> {
        let mut parts = text.split('\0');
        let (way, value, id) = (parts.next(), parts.next(), parts.next());
        let way = way.and_then(|way| way.parse().ok()).ok_or_else(of_no_list)?;
        let (value, id) = value.zip(id).filter(|_| parts.next().is_none()).ok_or_else(of_no_list)?;
        let after = (!id.is_empty()).then(|| (value.to_owned(), id.to_owned()));
        Ok(Self { way, after })
    }
}
