//! Finds entities by the prefix of a value.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pavise_contract::table::{Lookup, Pace, Per};

use crate::aggregate::Aggregate;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::read::{Page, digest_of, lookup, of_no_list, opened, storable};
use crate::store::{Filter, Range, folded};

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
}

/// One place to search (a lookup or the ids), and the prefix of its values.
struct Way {
    lookup: Option<&'static Lookup>,
    prefix: String,
}

/// The position of a search: the place, and the last value and id read there.
#[derive(Default)]
struct Place {
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
        let pace = Pace { per: Per::Caller, count: search.per_minute, seconds: 60 };
        self.kernel().counts().admit(&parts.paced(), pace, parts.now)?;
        let text = search.text.trim();
        if text.is_empty() {
            return self.page(page).await;
        }
        if !storable(text) {
            return Err(Error::field("text", "cannot have the NUL character"));
        }
        let size = usize::try_from(page.rows()?).unwrap_or(usize::MAX);
        let Some(filter) = self.filter::<A>(&page.filters)? else { return Ok((Vec::new(), String::new())) };
        let digest = digest_of(&format!("{}\n{text}\n", A::TABLE.name), &filter);
        let mut place =
            if page.token.is_empty() { Place::default() } else { Place::read(&opened(page.token, &digest)?)? };
        let ways = ways::<A>(search.lookups, text)?;
        let (mut found, mut read, mut limit) = (Vec::new(), 0, size.saturating_add(1));
        while let Some(way) = ways.get(place.way) {
            let range = range(way, &place, &filter, u32::try_from(limit).unwrap_or(u32::MAX));
            let matches = self.kernel().store().range(A::TABLE, &range).await?;
            let last = matches.len() < limit;
            read += matches.len();
            // The limit doubles, so that a small page with a strict filter does not need many small reads.
            limit = limit.saturating_mul(2).min(AT_ONCE);
            for one in matches {
                if let Some(row) = &one.row {
                    let entity: A = self.kernel().documents().read(row)?;
                    if first(&ways, &entity).is_some_and(|(way, value)| way == place.way && value == one.value) {
                        if found.len() == size {
                            return Ok((found, place.token(&digest)));
                        }
                        found.push(entity);
                    }
                }
                place.after = Some((one.value, one.id));
            }
            if last {
                place = Place { way: place.way + 1, after: None };
            } else if read >= READ_AT_MOST {
                return Ok((found, place.token(&digest)));
            }
        }
        Ok((found, String::new()))
    }
}

fn ways<A: Aggregate>(lookups: &[&'static str], text: &str) -> Result<Vec<Way>> {
    let way = |name: &&'static str| {
        if *name == "id" {
            return Ok(Way { lookup: None, prefix: text.to_ascii_lowercase() });
        }
        let lookup = lookup::<A>(name)?;
        Ok(Way { lookup: Some(lookup), prefix: folded(lookup, text).into_owned() })
    };
    lookups.iter().map(way).collect()
}

fn range(way: &Way, place: &Place, filter: &Filter, limit: u32) -> Range {
    Range { lookup: way.lookup, prefix: way.prefix.clone(), after: place.after.clone(), filter: filter.clone(), limit }
}

/// The value of an entity that a search meets first.
fn first<A: Aggregate>(ways: &[Way], entity: &A) -> Option<(usize, String)> {
    let values: Vec<(&Lookup, String)> =
        entity.lookups().into_iter().map(|(lookup, value)| (lookup, folded(lookup, &value).into_owned())).collect();
    ways.iter().enumerate().find_map(|(at, way)| {
        let Some(lookup) = way.lookup else {
            let id = entity.head().id;
            return id.starts_with(&way.prefix).then(|| (at, id.to_owned()));
        };
        let begin_so = values.iter().filter(|(of, value)| of.name == lookup.name && value.starts_with(&way.prefix));
        begin_so.map(|(_, value)| value).min().map(|value| (at, value.clone()))
    })
}

impl Place {
    fn token(&self, digest: &str) -> String {
        let (value, id) = self.after.clone().unwrap_or_default();
        URL_SAFE_NO_PAD.encode(format!("{digest}{}\0{value}\0{id}", self.way))
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
