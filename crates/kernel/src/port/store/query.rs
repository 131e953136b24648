//! The questions of lists and searches to an engine.

use pavise_contract::table::Lookup;

use crate::port::store::row::StoredRow;

/// The filter of a list.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only with one of these values of one of these lookups; empty for all. These are the caller's scopes.
    pub within: Vec<(&'static Lookup, Vec<String>)>,
    /// Only of this owner.
    pub owner: Option<String>,
    /// Only with an owner, whoever it is.
    pub owned: bool,
    /// Only with one of these statuses; empty for all.
    pub statuses: Vec<String>,
    /// Only with these lookup values, which are already folded if the lookup is.
    pub lookups: Vec<(&'static Lookup, String)>,
    /// Only with an id below this one, because the list runs newest first.
    pub before: Option<String>,
    /// In the order of a lookup instead, and only in a range of it. `before` then has no meaning.
    pub sort_range: Option<StoredRange>,
    /// Rows at most.
    pub limit: u32,
}

/// A range of a scalar lookup that rises. An entity without a value has the empty text, which is in no range with a
/// bound.
#[derive(Debug, Clone)]
pub struct StoredRange {
    /// The lookup.
    pub lookup: &'static Lookup,
    /// The smallest value; empty for none.
    pub from: String,
    /// The greatest value; empty for none.
    pub until: String,
    /// Whether the greatest value comes first, and of one value the greatest id.
    pub descending: bool,
    /// Only beyond this value and id. Rows are ordered by value, then by id, both compared byte by byte.
    pub after: Option<(String, String)>,
}

/// The entities with a value that begins with a text.
#[derive(Debug, Clone, Default)]
pub struct Range {
    /// The lookup with the values, which must have `prefix`; `None` for ids.
    pub lookup: Option<&'static Lookup>,
    /// The prefix, already folded if the lookup is.
    pub prefix: String,
    /// Whether the prefix is the whole value.
    pub exact: bool,
    /// Only after this value and id. A range is ordered by value, then by id, both compared byte by byte.
    pub after: Option<(String, String)>,
    /// The filter for the entities. Its `before` and `limit` have no meaning here.
    pub filter: Filter,
    /// Values read at most, however many of them the filter excludes.
    pub limit: u32,
    /// Entities whose rows are read at most: the page ends at the last of them. They have the needed values, and are not
    /// left out. 0 for as many as there are; it has no meaning with `skips`.
    pub most: u32,
    /// Values of entities that the filter excludes are passed over, and do not count. So an answer tells nothing of
    /// them.
    pub skips: bool,
    /// Values that an entity must have besides, each in a lookup with `prefix`. The filter excludes an entity that lacks
    /// one, before its row is read.
    pub needs: Vec<NeededValue>,
    /// Ids of entities that the filter excludes, before their rows are read.
    pub without: Vec<String>,
    /// The filter excludes an entity at each of its values in the range but the first, before its row is read. This
    /// needs a lookup.
    pub once: bool,
}

/// A value that an entity of a range must have besides.
#[derive(Debug, Clone)]
pub struct NeededValue {
    /// The lookup with the value, which must have `prefix`.
    pub lookup: &'static Lookup,
    /// The beginning of the value, already folded if the lookup is.
    pub prefix: String,
    /// Whether the beginning is the whole value.
    pub exact: bool,
}

impl Filter {
    /// Whether an index gives the rows of the filter.
    #[must_use]
    pub fn is_narrow(&self) -> bool {
        self.owner.is_some() || !self.within.is_empty() || !self.lookups.is_empty()
    }
}

impl Range {
    /// The upper bound of the values with this prefix: no character comes after the last one.
    #[must_use]
    pub fn end(&self) -> String {
        end_of(&self.prefix)
    }
}

impl NeededValue {
    /// The upper bound of the values that begin so.
    #[must_use]
    pub fn end(&self) -> String {
        end_of(&self.prefix)
    }
}

fn end_of(prefix: &str) -> String {
    format!("{prefix}{}", char::MAX)
}

/// A page of a range.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RangePage {
    /// The values whose entities the filter admits, in their order.
    pub matches: Vec<Match>,
    /// The number of values read, with those that the filter excludes.
    pub read: usize,
    /// The value and the id after which the range goes on; `None` when nothing was read.
    pub last: Option<(String, String)>,
    /// Whether the range may have more values after it.
    pub goes_on: bool,
}

/// A value within a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The value.
    pub value: String,
    /// The id of its entity.
    pub id: String,
    /// The entity.
    pub row: StoredRow,
}
