//! The people whom the tier of an entitlement covers.

use pavise_cover::{Person, age_limit, find_uncovered, list_covered};
use pavise_kernel::common::v1::{CoveredRelation, Date};
use pavise_kernel::{Call, Error, Result};

use super::bought::{load_bought, load_product};
use crate::contract::catalog::Product;
use crate::contract::v1::{Entitlement, EntitlementPerson, ErrorReason};

/// The people whom a tier covers.
#[derive(Debug, Default)]
pub(crate) struct TierCover {
    /// The most people besides the holder; `None` for no limit.
    pub(crate) most: Option<usize>,
    covers: Vec<CoveredRelation>,
}

impl TierCover {
    /// Loads what the tier covers in the version that was bought. A tier that was sold without a version since is as it is
    /// now. A product that the catalog does not know any more has no limit.
    pub(crate) async fn load(call: &Call, entitlement: &Entitlement) -> Result<Self> {
        let (product_id, tier_id) = (&entitlement.product_id, &entitlement.tier_id);
        let cover_of = |product: Option<Product>| product.and_then(|product| Self::of(&product, tier_id));
        if let Some(cover) = cover_of(load_bought(call, product_id, entitlement.product_version).await?) {
            return Ok(cover);
        }
        if entitlement.product_version == 0 {
            return Ok(Self::default());
        }
        Ok(cover_of(load_product(call, product_id).await?).unwrap_or_default())
    }

    fn of(product: &Product, tier_id: &str) -> Option<Self> {
        let tier = product.tiers.iter().find(|tier| tier.id == tier_id)?;
        let delegates = product.qualifying_delegates.iter();
        let rules =
            delegates.map(|one| CoveredRelation { r#type: one.r#type, most: one.most, until_age: one.until_age });
        Some(Self {
            most: usize::try_from(tier.max_authorized_users).ok(),
            covers: list_covered(&tier.authorized_user_types, &rules.collect::<Vec<_>>()),
        })
    }

    /// Refuses a new person, or a new relation or day of birth of a known one, that the tier does not cover. `expected` is
    /// the list after the change.
    ///
    /// # Errors
    /// `AUTHORIZED_USER_NOT_COVERED`.
    pub(crate) fn check(
        &self,
        before: &[EntitlementPerson],
        expected: &[EntitlementPerson],
        today: Date,
    ) -> Result<()> {
        let stays = |person: &EntitlementPerson| {
            let is_same = |known: &EntitlementPerson| {
                (&known.id, known.permission_type, known.birth_date)
                    == (&person.id, person.permission_type, person.birth_date)
            };
            !person.id.is_empty() && before.iter().any(is_same)
        };
        let people: Vec<Person> = expected.iter().map(|person| person_of(person, stays(person))).collect();
        match find_uncovered(&self.covers, &people, today) {
            Some((at, why)) => Err(not_covered_error(why.to_string(), people.get(at))),
            None => Ok(()),
        }
    }

    /// Refuses a person without a day of birth where the tier covers the relation up to an age only.
    ///
    /// # Errors
    /// `AUTHORIZED_USER_NOT_COVERED`.
    pub(crate) fn check_ages_known(&self, people: &[EntitlementPerson]) -> Result<()> {
        for person in people.iter().filter(|person| person.birth_date.is_none()) {
            if let Some(until) = age_limit(&self.covers, person.permission_type()) {
                let relation = person.permission_type().spelling();
                let why = format!("the plan covers people as {relation} until they are {until}: say the day of birth");
                return Err(not_covered_error(why, Some(&person_of(person, false))));
            }
        }
        Ok(())
    }
}

/// Refuses more people than the limit. People who are on the plan stay.
pub(crate) fn check_room(before: usize, after: usize, most: Option<usize>) -> Result<()> {
    match most {
        Some(most) if after > before && after > most => {
            let who = if most == 1 { "person" } else { "people" };
            let message = format!("the plan covers {most} {who} besides the holder, not {after}");
            let error = Error::new(ErrorReason::AuthorizedUsersExceeded, message);
            Err(error.with("covered", most.to_string()).with("count", after.to_string()))
        }
        _ => Ok(()),
    }
}

fn person_of(person: &EntitlementPerson, stays: bool) -> Person {
    Person { relation: person.permission_type(), birth_date: person.birth_date, stays }
}

/// The refusal of a person whom a plan does not cover.
fn not_covered_error(why: String, person: Option<&Person>) -> Error {
    let error = Error::new(ErrorReason::AuthorizedUserNotCovered, why);
    match person {
        Some(person) => error.with("relation", person.relation.spelling()),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::catalog::{AuthorizedUserType, QualifyingDelegate, Tier};
    use pavise_kernel::common::v1::RelationType::{self, Dependent, Spouse};

    const TODAY: Date = Date { year: 2026, month: 3, day: 2 };

    fn person(id: &str, relation: RelationType) -> EntitlementPerson {
        EntitlementPerson { id: id.to_owned(), permission_type: relation.into(), ..Default::default() }
    }

    #[test]
    fn newcomers_are_checked_and_people_on_the_plan_stay() {
        let delegate = |kind: AuthorizedUserType, most| QualifyingDelegate { r#type: kind.into(), most, until_age: 26 };
        let tier = Tier { id: "family".to_owned(), max_authorized_users: 9, ..Default::default() };
        let product = Product {
            tiers: vec![tier],
            qualifying_delegates: vec![
                delegate(AuthorizedUserType::Spouse, 1),
                delegate(AuthorizedUserType::Dependent, 0),
            ],
            ..Default::default()
        };
        let cover = TierCover::of(&product, "family").unwrap();
        assert_eq!(cover.most, Some(9));
        let ann = person("ann", Spouse);
        cover.check(&[], std::slice::from_ref(&ann), TODAY).unwrap();
        let second = cover.check(std::slice::from_ref(&ann), &[ann.clone(), person("", Spouse)], TODAY).unwrap_err();
        assert!(second.is(ErrorReason::AuthorizedUserNotCovered) && second.find_fact("relation") == Some("SPOUSE"));
        let old = Date { year: 1990, ..TODAY };
        let ben = EntitlementPerson { birth_date: Some(old), ..person("ben", Dependent) };
        assert!(cover.check(&[], std::slice::from_ref(&ben), TODAY).is_err());
        cover.check_ages_known(std::slice::from_ref(&ben)).unwrap();
        assert!(cover.check_ages_known(&[ben.clone(), person("cat", Dependent)]).is_err());
        cover.check(std::slice::from_ref(&ben), &[ben.clone(), person("", Dependent)], TODAY).unwrap();
        assert!(TierCover::of(&product, "unknown").is_none());
        assert!(TierCover::default().check(&[], &[person("", RelationType::Elder)], TODAY).is_ok());
    }

    #[test]
    fn a_full_plan_takes_no_more_people_and_loses_none() {
        check_room(0, 2, Some(2)).unwrap();
        check_room(9, 9, Some(2)).unwrap();
        check_room(0, 99, None).unwrap();
        let refusal = check_room(2, 3, Some(2)).unwrap_err();
        assert!(refusal.is(ErrorReason::AuthorizedUsersExceeded), "{refusal}");
    }
}
