//! The people whom a plan covers besides its holder: which relations, how many of each, and to which age.
//!
//! The catalog makes the rules of a tier. Orders check them when people are named, and fulfillment when people are added
//! to a plan.

use std::collections::BTreeMap;
use std::fmt;

use pavise_kernel::common::v1::{CoveredRelation, Date, RelationType};

/// The numbers of ANY and ALL among the authorized user types of products. The other numbers are those of relations.
const ANY: i32 = 11;
const ALL: i32 = 12;

/// A person besides the holder.
#[derive(Debug, Clone, Copy, Default)]
pub struct Person {
    /// The relation to the holder.
    pub relation: RelationType,
    /// The day of birth, if it is known.
    pub birth_date: Option<Date>,
    /// Whether the plan covers the person already. Such a person counts, and is not refused.
    pub stays: bool,
}

/// Why a plan does not cover a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uncovered {
    /// It covers nobody of that relation.
    Relation(RelationType),
    /// It covers fewer people of that relation.
    Number(RelationType, i32),
    /// It covers people of that relation up to an age.
    Age(RelationType, i32),
}

impl fmt::Display for Uncovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Relation(relation) => write!(f, "the plan covers nobody as {}", relation.spelling()),
            Self::Number(relation, most) => write!(f, "the plan covers at most {most} as {}", relation.spelling()),
            Self::Age(relation, until) => {
                write!(f, "the plan covers people as {} until they are {until}", relation.spelling())
            }
        }
    }
}

/// The rules of a tier. The tier says which relations its further users may have. Where it names none, or
/// ANY or ALL among others, the product's delegates do: relation, most, and age. None at all is an empty list: everybody.
#[must_use]
pub fn list_covered(types: &[i32], delegates: &[CoveredRelation]) -> Vec<CoveredRelation> {
    let named: Vec<i32> = types.iter().copied().filter(|kind| ![0, ANY, ALL].contains(kind)).collect();
    let is_any = |kind: i32| [ANY, ALL].contains(&kind);
    if named.is_empty() || types.iter().any(|kind| is_any(*kind)) {
        let open = |rule: &CoveredRelation| CoveredRelation {
            r#type: if is_any(rule.r#type) { 0 } else { rule.r#type },
            ..*rule
        };
        return delegates.iter().map(open).collect();
    }
    let rule_of = |kind: i32| {
        let found = delegates
            .iter()
            .find(|rule| rule.r#type == kind)
            .or_else(|| delegates.iter().find(|rule| is_any(rule.r#type)));
        CoveredRelation { r#type: kind, ..found.copied().unwrap_or_default() }
    };
    named.into_iter().map(rule_of).collect()
}

/// Says for each person why a plan with these rules does not cover them. An empty list covers everybody. A
/// person whose day of birth is not known is of no age. Of more people than a rule covers, the first are covered.
#[must_use]
pub fn check_people(covers: &[CoveredRelation], people: &[Person], today: Date) -> Vec<Option<Uncovered>> {
    let mut counts: BTreeMap<i32, i32> = BTreeMap::new();
    for rule in people.iter().filter(|person| person.stays).filter_map(|person| rule_for(covers, person.relation)) {
        *counts.entry(rule.r#type).or_default() += 1;
    }
    let mut check = |person: &Person| {
        if person.stays || covers.is_empty() {
            return None;
        }
        let Some(rule) = rule_for(covers, person.relation) else { return Some(Uncovered::Relation(person.relation)) };
        let is_too_old = person.birth_date.is_some_and(|born| age_on(born, today) >= rule.until_age);
        if rule.until_age > 0 && is_too_old {
            return Some(Uncovered::Age(person.relation, rule.until_age));
        }
        let count = counts.entry(rule.r#type).or_default();
        *count += 1;
        (rule.most > 0 && *count > rule.most).then_some(Uncovered::Number(person.relation, rule.most))
    };
    people.iter().map(&mut check).collect()
}

/// Finds the first person whom a plan does not cover: their place and the reason.
#[must_use]
pub fn find_uncovered(covers: &[CoveredRelation], people: &[Person], today: Date) -> Option<(usize, Uncovered)> {
    let checked = check_people(covers, people, today);
    checked.into_iter().enumerate().find_map(|(at, found)| Some((at, found?)))
}

/// The age up to which a plan with these rules covers people of a relation, if there is one.
#[must_use]
pub fn age_limit(covers: &[CoveredRelation], relation: RelationType) -> Option<i32> {
    rule_for(covers, relation).map(|rule| rule.until_age).filter(|until| *until > 0)
}

/// The rule for a relation; else the rule for any relation.
fn rule_for(covers: &[CoveredRelation], relation: RelationType) -> Option<&CoveredRelation> {
    covers.iter().find(|rule| rule.r#type() == relation).or_else(|| covers.iter().find(|rule| rule.r#type == 0))
}

/// The age in years on a day. Somebody born on 29 February is a year older on 1 March.
#[must_use]
pub fn age_on(born: Date, day: Date) -> i32 {
    day.year - born.year - i32::from((day.month, day.day) < (born.month, born.day))
}

#[cfg(test)]
mod tests {
    use super::*;
    use RelationType::{Dependent, Elder, Spouse};

    const TODAY: Date = Date { year: 2026, month: 3, day: 2 };

    fn rule(kind: RelationType, most: i32, until_age: i32) -> CoveredRelation {
        CoveredRelation { r#type: kind.into(), most, until_age }
    }

    fn person(relation: RelationType) -> Person {
        Person { relation, ..Person::default() }
    }

    fn born(year: i32, month: i32, day: i32) -> Person {
        Person { birth_date: Some(Date { year, month, day }), ..person(Dependent) }
    }

    #[test]
    fn a_tier_narrows_the_relations_and_the_delegates_limit_them() {
        let delegates = [rule(Spouse, 1, 0), rule(Dependent, 0, 26)];
        assert_eq!(list_covered(&[], &delegates), delegates);
        assert_eq!(list_covered(&[ANY], &delegates), delegates);
        assert_eq!(list_covered(&[Spouse.into(), ANY], &delegates), delegates, "ANY beside a relation is still any");
        assert_eq!(list_covered(&[Spouse.into()], &delegates), [rule(Spouse, 1, 0)], "a couple's tier");
        assert_eq!(list_covered(&[Spouse.into(), Elder.into()], &delegates), [rule(Spouse, 1, 0), rule(Elder, 0, 0)]);
        assert_eq!(list_covered(&[], &[]), []);
        let all = CoveredRelation { r#type: ALL, most: 2, until_age: 0 };
        assert_eq!(list_covered(&[], &[all]), [CoveredRelation { r#type: 0, ..all }]);
        assert_eq!(list_covered(&[Elder.into()], &[all]), [rule(Elder, 2, 0)]);
    }

    #[test]
    fn relations_numbers_and_ages_count() {
        let family = [rule(Spouse, 1, 0), rule(Dependent, 0, 26)];
        let find = |people: &[Person]| find_uncovered(&family, people, TODAY);
        assert_eq!(find(&[person(Spouse), person(Dependent), person(Dependent)]), None);
        assert_eq!(find(&[person(Dependent), person(Elder)]), Some((1, Uncovered::Relation(Elder))));
        assert_eq!(find(&[person(Spouse), person(Spouse)]), Some((1, Uncovered::Number(Spouse, 1))));
        assert_eq!(find(&[born(2000, 3, 3)]), None, "25 until tomorrow");
        assert_eq!(find(&[born(2000, 3, 2)]), Some((0, Uncovered::Age(Dependent, 26))));
        assert_eq!(find_uncovered(&[], &[person(Elder)], TODAY), None, "no rule, no limit");
    }

    #[test]
    fn covered_people_stay_and_count() {
        let family = [rule(Spouse, 1, 0), rule(Dependent, 0, 26)];
        let stays = |person: Person| Person { stays: true, ..person };
        assert_eq!(find_uncovered(&family, &[stays(born(1990, 1, 1)), stays(person(Elder))], TODAY), None);
        let second = find_uncovered(&family, &[person(Spouse), stays(person(Spouse))], TODAY);
        assert_eq!(second, Some((0, Uncovered::Number(Spouse, 1))));
    }

    #[test]
    fn a_rule_for_any_relation_counts_those_without_a_rule_of_their_own() {
        let any = CoveredRelation { r#type: 0, most: 1, until_age: 0 };
        let covers = [rule(Spouse, 1, 0), any];
        assert_eq!(find_uncovered(&covers, &[person(Spouse), person(Elder)], TODAY), None);
        let full = find_uncovered(&covers, &[person(Elder), person(Dependent)], TODAY);
        assert_eq!(full, Some((1, Uncovered::Number(Dependent, 1))));
    }
}
