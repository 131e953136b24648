//! The text and the criteria of a search, and the choice of the one that it reads by.

use pavise_contract::table::Lookup;

use crate::entity::aggregate::Aggregate;
use crate::entity::words::words_of_query;
use crate::error::{Error, Result};
use crate::port::store::{Filter, NeededValue, Range, fold_value, storable};
use crate::read::lookup;

/// Values counted of each way at most. A row costs as much as many of them.
pub(super) const COUNTED_AT_MOST: u32 = 256;
/// Criteria counted at most; a search does not read by the others.
const CRITERIA_COUNTED: usize = 16;
/// Values that the engine compares of each entity at most. The others are compared in its document.
const COMPARED_AT_MOST: usize = 8;

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
    /// Ids of entities that the caller has already. They are read as all others, and not answered.
    pub without: &'a [String],
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
pub(super) struct Way {
    lookup: Option<&'static Lookup>,
    prefix: String,
    /// Whether the prefix is the whole value.
    exact: bool,
}

impl Way {
    /// Whether it leads to the entities with this value.
    pub(super) fn leads_to(&self, value: &str) -> bool {
        if self.exact { value == self.prefix } else { value.starts_with(&self.prefix) }
    }

    /// Whether it leads by one value alone, which an entity has once.
    pub(super) fn is_exact(&self) -> bool {
        self.exact
    }

    /// Its values, for entities that a filter admits.
    pub(super) fn range(&self, after: Option<(String, String)>, filter: Filter, limit: u32) -> Range {
        let prefix = self.prefix.clone();
        Range { lookup: self.lookup, prefix, exact: self.exact, after, filter, limit, ..Range::default() }
    }

    /// Its value, as entities must have it besides another one.
    fn needed(&self) -> Option<NeededValue> {
        Some(NeededValue { lookup: self.lookup?, prefix: self.prefix.clone(), exact: self.exact })
    }
}

/// The entities that a search finds: each has the text, in one of the places or with all its words, and meets all
/// criteria.
///
/// Each of the criteria leads to all these entities, and so does the text with each of its words. The search reads by
/// the one with the fewest values, and compares the entities found there with the rest.
pub(super) struct Sought {
    has_text: bool,
    /// The places of the text, in the order of the answer.
    places: Vec<Way>,
    /// The words of the text, the longest first. They are the last place.
    words: Vec<Way>,
    criteria: Vec<Way>,
}

impl Sought {
    pub(super) fn new<A: Aggregate>(search: &Search<'_>, text: &str, criteria: Vec<Way>) -> Result<Self> {
        if text.is_empty() {
            return Ok(Self { has_text: false, places: Vec::new(), words: Vec::new(), criteria });
        }
        let (places, words) = (places::<A>(search.lookups, text)?, words::<A>(search.words, text)?);
        Ok(Self { has_text: true, places, words, criteria })
    }

    /// How many choices there are: each of the criteria, and the text with each of its words, in this order.
    pub(super) fn choices(&self) -> usize {
        self.criteria.len() + if self.has_text { self.words.len().max(1) } else { 0 }
    }

    /// The choice without counts: the text with its longest word, or the first of the criteria.
    pub(super) fn uncounted(&self) -> usize {
        if self.has_text { self.criteria.len() } else { 0 }
    }

    /// The ways of a choice, in the order in which they are read; `None` if there is no such choice.
    pub(super) fn ways(&self, by: usize) -> Option<Vec<&Way>> {
        if by >= self.choices() {
            return None;
        }
        let Some(word) = by.checked_sub(self.criteria.len()) else { return Some(vec![self.criteria.get(by)?]) };
        Some(self.places.iter().chain(self.words.get(word)).collect())
    }

    /// Whether each way of a choice has no value, as far as they were counted.
    pub(super) fn list_empty(&self, by: usize, counts: &[u32]) -> Vec<bool> {
        let of_criteria = self.criteria.len().min(CRITERIA_COUNTED);
        let is_empty = |at: usize| counts.get(at) == Some(&0);
        let Some(word) = by.checked_sub(self.criteria.len()) else { return vec![by < of_criteria && is_empty(by)] };
        let places = (0..self.places.len()).map(|place| is_empty(of_criteria + self.words.len() + place));
        let of_word = self.words.get(word).map(|_| is_empty(of_criteria + word));
        places.chain(of_word).collect()
    }

    /// The further values that an entity found by one of the ways of a choice must have. An entity that a place leads to need not
    /// have the words.
    fn others(&self, by: usize, way: usize) -> impl Iterator<Item = &Way> {
        let word = by.checked_sub(self.criteria.len());
        let by_words = word.is_some() && way >= self.places.len();
        let words: &[Way] = if by_words { &self.words } else { &[] };
        let others = words.iter().enumerate().filter(move |(at, _)| Some(*at) != word).map(|(_, way)| way);
        let criteria = self.criteria.iter().enumerate().filter(move |(at, _)| *at != by).map(|(_, way)| way);
        others.chain(criteria)
    }

    /// The values that the engine compares, so that few documents are read in vain.
    pub(super) fn needs(&self, by: usize, way: usize) -> Vec<NeededValue> {
        self.others(by, way).filter_map(Way::needed).take(COMPARED_AT_MOST).collect()
    }

    /// Whether an entity with the values that the engine compares is sought. A criterion alone does not lead to the text.
    pub(super) fn compares_all(&self, by: usize, way: usize) -> bool {
        (!self.has_text || by >= self.criteria.len()) && self.others(by, way).count() <= COMPARED_AT_MOST
    }

    /// The criteria, the words and the places whose values are counted.
    pub(super) fn counted(&self) -> impl Iterator<Item = &Way> {
        self.criteria.iter().take(CRITERIA_COUNTED).chain(&self.words).chain(&self.places)
    }

    /// The choice with the fewest values. Many values count as equal: then a whole value has fewer entities than a
    /// beginning, and a long word fewer than a short one.
    pub(super) fn rarest(&self, counts: &[u32]) -> usize {
        let of_criteria = self.criteria.len().min(CRITERIA_COUNTED);
        let (of_criteria, of_text) = counts.split_at_checked(of_criteria).unwrap_or_default();
        let (of_words, of_places) = of_text.split_at_checked(self.words.len()).unwrap_or_default();
        let (word, fewest) = of_words.iter().copied().enumerate().min_by_key(|(_, count)| *count).unwrap_or_default();
        let of_text = of_places.iter().copied().fold(fewest, u32::max);
        let criteria = of_criteria.iter().copied().zip(&self.criteria).enumerate();
        match criteria.min_by_key(|(_, (count, way))| (*count, !way.exact)) {
            Some((at, (count, way))) if !self.has_text || count < of_text || (count == of_text && way.exact) => at,
            _ => self.criteria.len() + word,
        }
    }

    /// Whether the text or a criterion is sought in the lookup.
    fn reads(&self, lookup: &Lookup) -> bool {
        let ways = self.places.iter().chain(&self.words).chain(&self.criteria);
        ways.filter_map(|way| way.lookup).any(|of| of.name == lookup.name)
    }

    /// Whether it is an entity with these values.
    pub(super) fn finds(&self, values: &Values<'_>) -> bool {
        let is_placed = || self.places.iter().any(|place| values.of_way(place).is_some());
        let has_words = || !self.words.is_empty() && values.meet(&self.words);
        (!self.has_text || is_placed() || has_words()) && values.meet(&self.criteria)
    }
}

fn places<A: Aggregate>(lookups: &[&'static str], text: &str) -> Result<Vec<Way>> {
    let way = |name: &&'static str| {
        if *name == "id" {
            return Ok(Way { lookup: None, prefix: text.to_ascii_lowercase(), exact: false });
        }
        let lookup = lookup::<A>(name)?;
        Ok(Way { lookup: Some(lookup), prefix: fold_value(lookup, text).into_owned(), exact: false })
    };
    lookups.iter().map(way).collect()
}

/// The words of a text in the lookup of words, the longest first.
fn words<A: Aggregate>(name: &'static str, text: &str) -> Result<Vec<Way>> {
    if name.is_empty() {
        return Ok(Vec::new());
    }
    let lookup = lookup::<A>(name)?;
    let mut words = words_of_query(text);
    words.sort_by_key(String::len);
    words.reverse();
    Ok(words.into_iter().map(|prefix| Way { lookup: Some(lookup), prefix, exact: false }).collect())
}

/// The criteria that have a text.
pub(super) fn criteria<A: Aggregate>(asked: &[Criterion<'_>]) -> Result<Vec<Way>> {
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

/// The criteria as text, for the digest of a page token.
pub(super) fn said(criteria: &[Way]) -> String {
    let name = |way: &Way| way.lookup.map_or("id", |lookup| lookup.name);
    criteria.iter().map(|way| format!("{}\n{}\n{}\n", name(way), way.prefix, way.exact)).collect()
}

/// The values by which an entity is found.
pub(super) struct Values<'a> {
    id: &'a str,
    folded: Vec<(&'static Lookup, String)>,
}

impl<'a> Values<'a> {
    /// The values of an entity in the lookups of a search.
    pub(super) fn of<A: Aggregate>(entity: &'a A, sought: &Sought) -> Self {
        Self::wanted(entity, &|lookup| sought.reads(lookup))
    }

    /// The values of an entity in the lookups of some ways.
    pub(super) fn among<A: Aggregate>(entity: &'a A, ways: &[&Way]) -> Self {
        Self::wanted(entity, &|lookup| ways.iter().filter_map(|way| way.lookup).any(|of| of.name == lookup.name))
    }

    fn wanted<A: Aggregate>(entity: &'a A, wanted: &dyn Fn(&Lookup) -> bool) -> Self {
        let fold = |(lookup, value): (&'static Lookup, String)| (lookup, fold_value(lookup, &value).into_owned());
        Self { id: entity.head().id, folded: entity.lookups_among(wanted).into_iter().map(fold).collect() }
    }

    /// The first value that a way leads to.
    fn of_way(&self, way: &Way) -> Option<&str> {
        let Some(lookup) = way.lookup else { return way.leads_to(self.id).then_some(self.id) };
        let begin_so = self.folded.iter().filter(|(of, value)| of.name == lookup.name && way.leads_to(value));
        begin_so.map(|(_, value)| value.as_str()).min()
    }

    /// The value that a search meets first.
    pub(super) fn first(&self, ways: &[&Way]) -> Option<(usize, &str)> {
        ways.iter().enumerate().find_map(|(at, way)| self.of_way(way).map(|value| (at, value)))
    }

    /// Whether one of the ways leads to the entity.
    pub(super) fn is_led_to(&self, ways: &[&Way]) -> bool {
        ways.iter().any(|way| self.of_way(way).is_some())
    }

    /// Whether each of the ways leads to the entity.
    fn meet(&self, ways: &[Way]) -> bool {
        ways.iter().all(|way| self.of_way(way).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static TAGS: Lookup = Lookup { name: "tags", many: true, prefix: true, ..Lookup::PLAIN };

    fn ways(all: &[(&str, bool)]) -> Vec<Way> {
        all.iter().map(|(prefix, exact)| Way { lookup: None, prefix: (*prefix).to_owned(), exact: *exact }).collect()
    }

    /// A text of two words with one place, a beginning and a whole value.
    fn sought() -> Sought {
        Sought {
            has_text: true,
            places: ways(&[("bob smith", false)]),
            words: ways(&[("smith", false), ("bob", false)]),
            criteria: ways(&[("austin", false), ("5125550100", true)]),
        }
    }

    fn prefixes(ways: Option<Vec<&Way>>) -> Vec<String> {
        ways.unwrap_or_default().into_iter().map(|way| way.prefix.clone()).collect()
    }

    #[test]
    fn each_choice_has_its_ways() {
        let both = sought();
        assert_eq!((both.choices(), both.uncounted()), (4, 2));
        assert_eq!(prefixes(both.ways(0)), ["austin"]);
        assert_eq!(prefixes(both.ways(1)), ["5125550100"]);
        assert_eq!(prefixes(both.ways(2)), ["bob smith", "smith"]);
        assert_eq!(prefixes(both.ways(3)), ["bob smith", "bob"]);
        assert!(both.ways(4).is_none());
        let no_words = Sought { words: Vec::new(), criteria: Vec::new(), ..sought() };
        assert_eq!((no_words.choices(), no_words.uncounted()), (1, 0));
        assert_eq!(prefixes(no_words.ways(0)), ["bob smith"]);
        let no_text = Sought { has_text: false, places: Vec::new(), words: Vec::new(), ..sought() };
        assert_eq!((no_text.choices(), no_text.uncounted()), (2, 0));
        assert!(no_text.ways(2).is_none());
    }

    #[test]
    fn what_is_found_by_one_value_must_have_the_others() {
        let way = |prefix: &str, exact: bool| Way { lookup: Some(&TAGS), prefix: prefix.into(), exact };
        let all = |prefixes: &[&str]| prefixes.iter().map(|prefix| way(prefix, *prefix == "5125550100")).collect();
        let both = Sought {
            has_text: true,
            places: all(&["bob smith"]),
            words: all(&["smith", "bob"]),
            criteria: all(&["austin", "5125550100"]),
        };
        let needs = |by: usize, way: usize| -> Vec<String> {
            let spell = |needed: NeededValue| needed.prefix + if needed.exact { "." } else { "" };
            both.needs(by, way).into_iter().map(spell).collect()
        };
        assert_eq!(needs(0, 0), ["5125550100."]);
        assert_eq!(needs(1, 0), ["austin"]);
        assert_eq!(needs(2, 0), ["austin", "5125550100."], "the text in one place");
        assert_eq!(needs(2, 1), ["bob", "austin", "5125550100."]);
        assert_eq!(needs(3, 1), ["smith", "austin", "5125550100."]);
        assert!(both.compares_all(2, 0) && both.compares_all(3, 1));
        assert!(!both.compares_all(0, 0), "a criterion does not lead to the text");
        let criteria = Sought { has_text: false, ..both };
        assert!(criteria.compares_all(0, 0) && criteria.compares_all(1, 0));
        let many: Vec<&str> = (0..100).map(|_| "x").collect();
        let many = Sought { has_text: true, words: all(&many), ..criteria };
        assert_eq!(many.needs(2, 1).len(), COMPARED_AT_MOST);
        assert!(!many.compares_all(2, 1) && many.compares_all(2, 0));
    }

    #[test]
    fn the_fewest_values_are_read() {
        let (both, most) = (sought(), COUNTED_AT_MOST);
        let asked: Vec<&str> = both.counted().map(|way| way.prefix.as_str()).collect();
        assert_eq!(asked, ["austin", "5125550100", "smith", "bob", "bob smith"]);
        for (counts, expected) in [
            ([9, 8, 7, 6, 0], 3),
            ([9, 8, 6, 7, 0], 2),
            ([9, 8, 7, 6, 9], 1),
            ([3, 8, 7, 6, 0], 0),
            ([9, 6, 7, 6, 0], 1),
            ([6, 8, 7, 6, 0], 3),
            ([most, most, most, most, 0], 1),
            ([most, most, most, 5, most], 1),
            ([most, most, most, 5, 4], 3),
            ([0, 0, 0, 0, 0], 1),
        ] {
            assert_eq!(both.rarest(&counts), expected, "{counts:?}");
        }
        let text = Sought { criteria: Vec::new(), ..sought() };
        assert_eq!(text.counted().count(), 3, "a place without a value is not read");
        assert_eq!(text.rarest(&[most, most]), 0, "the longest word");
        assert_eq!(text.rarest(&[most, 4]), 1);
        let beginnings = ways(&[("austin", false), ("congress", false)]);
        let no_text = Sought { has_text: false, places: Vec::new(), words: Vec::new(), criteria: beginnings };
        assert_eq!(no_text.rarest(&[most, most]), 0, "the first one");
        assert_eq!(no_text.rarest(&[5, 4]), 1);
    }

    #[test]
    fn ways_without_a_value_are_told() {
        let both = sought();
        assert_eq!(both.list_empty(2, &[1, 2, 3, 4, 0]), [true, false], "the place");
        assert_eq!(both.list_empty(3, &[1, 2, 3, 0, 5]), [false, true], "the word");
        assert_eq!(both.list_empty(3, &[1, 2, 0, 4, 5]), [false, false], "another word");
        assert_eq!(both.list_empty(1, &[1, 0, 3, 4, 5]), [true]);
        assert_eq!(both.list_empty(0, &[1, 0, 3, 4, 5]), [false]);
        assert_eq!(both.list_empty(2, &[]), [false, false], "they were not counted");
        let many: Vec<Way> = (0..100).flat_map(|_| ways(&[("x", false)])).collect();
        assert_eq!(Sought { criteria: many, ..both }.list_empty(50, &[0; 19]), [false], "nor was this one");
    }

    #[test]
    fn few_of_many_criteria_are_counted() {
        let many: Vec<Way> = (0..100).flat_map(|_| ways(&[("x", false)])).collect();
        let sought = Sought { criteria: many, ..sought() };
        assert_eq!(sought.counted().count(), CRITERIA_COUNTED + 3);
        let mut counts = vec![9; CRITERIA_COUNTED + 3];
        counts[CRITERIA_COUNTED + 1] = 1;
        counts[CRITERIA_COUNTED + 2] = 1;
        assert_eq!(sought.rarest(&counts), 101, "the second word");
    }
}
