//! The people on an order, and how many of them its tiers cover.

use std::collections::HashSet;

use pavise_cover::{Person, check_people as check_covers};
use pavise_kernel::common::v1::{Date, PhoneType, RelationType};
use pavise_kernel::{Call, Error, Result, time};

use crate::contract::v1::{AuthorizedUser, AuthorizedUserType, BusinessInfo, ErrorReason, Order, PersonalInfo};

/// Checks the people of a request and gives them ids. `path` is their place in the request.
///
/// # Errors
/// `INVALID_FIELD` for a second spouse, an id used twice, a birthday that cannot be.
pub(crate) fn check_people(call: &Call, path: &str, mut users: Vec<AuthorizedUser>) -> Result<Vec<AuthorizedUser>> {
    let mut ids = HashSet::new();
    let mut spouses = 0;
    for (at, user) in users.iter_mut().enumerate() {
        if user.id.is_empty() {
            user.id = call.new_id();
        }
        if !ids.insert(user.id.clone()) {
            return Err(Error::field(format!("{path}authorized_users[{at}].id"), "is used twice"));
        }
        spouses += i32::from(user.r#type() == AuthorizedUserType::Spouse);
        if spouses > 1 {
            return Err(Error::field(format!("{path}authorized_users[{at}].type"), "an order has at most one SPOUSE"));
        }
        let born = user.birth_date;
        if born.is_some_and(|born| !time::is_real(born) || time::to_days(born) > time::to_days(call.today())) {
            return Err(Error::field(format!("{path}authorized_users[{at}].birth_date"), "is no day of the past"));
        }
    }
    Ok(users)
}

/// Fills in the defaults of a buyer.
pub(crate) fn complete_personal(said: PersonalInfo) -> PersonalInfo {
    PersonalInfo { phone_type: phone_type_or_default(said.phone_type()).into(), ..said }
}

/// Fills in the defaults of a business.
pub(crate) fn complete_business(said: BusinessInfo) -> BusinessInfo {
    BusinessInfo { phone_type: phone_type_or_default(said.phone_type()).into(), ..said }
}

/// Checks that the chosen tiers cover the people on the order. Personal plans cover family members, and business plans
/// cover users of the business. An order without offers is not checked.
///
/// # Errors
/// `AUTHORIZED_USERS_EXCEEDED`, `AUTHORIZED_USER_NOT_COVERED`.
pub(crate) fn check_covered(order: &Order, today: Date) -> Result<()> {
    if order.offers.is_empty() {
        return Ok(());
    }
    let of_business = |user: &&AuthorizedUser| user.r#type() == AuthorizedUserType::NormalUser;
    let users = order.authorized_users.iter().filter(of_business).count();
    for (business, count) in [(true, users), (false, order.authorized_users.len() - users)] {
        let lines = order.offers.iter().flat_map(|offer| &offer.lines).filter(|line| line.business == business);
        let most = lines.map(|line| line.max_authorized_users).max().unwrap_or(0);
        if i32::try_from(count).unwrap_or(i32::MAX) > most {
            let (what, who) = if business {
                ("business plans", "users of the business")
            } else {
                ("tiers", "people besides the buyer")
            };
            let message = format!("the chosen {what} cover {most} {who}; the order has {count}");
            return Err(Error::new(ErrorReason::AuthorizedUsersExceeded, message)
                .with("covered", most.to_string())
                .with("count", count.to_string()));
        }
        check_relations(order, business, today)?;
    }
    Ok(())
}

/// Checks that at least one chosen tier covers each person, as what they are and as old as they are.
fn check_relations(order: &Order, business: bool, today: Date) -> Result<()> {
    let is_of_business = |user: &AuthorizedUser| user.r#type() == AuthorizedUserType::NormalUser;
    let users = order.authorized_users.iter().enumerate().filter(|(_, user)| is_of_business(user) == business);
    let users: Vec<(usize, Person)> = users.map(|(at, user)| (at, person_of(user))).collect();
    let people: Vec<Person> = users.iter().map(|(_, person)| *person).collect();
    let lines = order.offers.iter().flat_map(|offer| &offer.lines);
    let lines = lines.filter(|line| line.business == business && line.max_authorized_users > 0);
    let checked: Vec<_> = lines.map(|line| check_covers(&line.covers, &people, today)).collect();
    for (place, (at, _)) in users.iter().enumerate() {
        let answers: Vec<_> = checked.iter().filter_map(|answers| answers.get(place)).collect();
        if let Some(Some(why)) = answers.first().filter(|_| answers.iter().all(|answer| answer.is_some())) {
            let error = Error::new(ErrorReason::AuthorizedUserNotCovered, why.to_string());
            return Err(error.with("authorized_user", at.to_string()));
        }
    }
    Ok(())
}

fn person_of(user: &AuthorizedUser) -> Person {
    Person { relation: relation_of(user.r#type()), birth_date: user.birth_date, stays: false }
}

/// The relation of a person on an order to the buyer.
pub(crate) fn relation_of(user: AuthorizedUserType) -> RelationType {
    match user {
        AuthorizedUserType::Spouse => RelationType::Spouse,
        AuthorizedUserType::Dependent => RelationType::Dependent,
        AuthorizedUserType::NormalUser => RelationType::NormalUser,
        AuthorizedUserType::Unspecified => RelationType::Unspecified,
    }
}

fn phone_type_or_default(said: PhoneType) -> PhoneType {
    if said == PhoneType::Unspecified { PhoneType::Cell } else { said }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{OfferOnOrder, OrderLine};
    use pavise_kernel::common::v1::CoveredRelation;

    const TODAY: Date = Date { year: 2026, month: 3, day: 2 };

    fn check(order: &Order) -> Result<()> {
        check_covered(order, TODAY)
    }

    fn order(lines: &[(bool, i32)], users: &[AuthorizedUserType]) -> Order {
        let lines = lines.iter().map(|(business, most)| OrderLine {
            business: *business,
            max_authorized_users: *most,
            ..OrderLine::default()
        });
        let users = users.iter().map(|kind| AuthorizedUser { r#type: (*kind).into(), ..AuthorizedUser::default() });
        Order {
            offers: vec![OfferOnOrder { lines: lines.collect(), ..OfferOnOrder::default() }],
            authorized_users: users.collect(),
            ..Order::default()
        }
    }

    #[test]
    fn the_largest_tier_counts_and_businesses_count_apart() {
        use AuthorizedUserType::{Dependent, NormalUser, Spouse};
        check(&order(&[(false, 0), (false, 2)], &[Spouse, Dependent])).unwrap();
        assert!(
            check(&order(&[(false, 2)], &[Spouse, Dependent, Dependent]))
                .unwrap_err()
                .is(ErrorReason::AuthorizedUsersExceeded)
        );
        assert!(check(&order(&[(false, 2)], &[NormalUser])).is_err());
        check(&order(&[(false, 0), (true, 1)], &[NormalUser])).unwrap();
        assert!(check(&order(&[(true, 5)], &[Spouse])).is_err());
    }

    #[test]
    fn an_empty_order_may_name_people_already() {
        let users = order(&[], &[AuthorizedUserType::Spouse]).authorized_users;
        check(&Order { authorized_users: users, ..Order::default() }).unwrap();
    }

    #[test]
    fn a_couples_tier_takes_no_dependent_unless_another_tier_does() {
        use AuthorizedUserType::{Dependent, Spouse};
        let rule = |kind: RelationType, until_age| CoveredRelation { r#type: kind.into(), most: 1, until_age };
        let couple = vec![rule(RelationType::Spouse, 0)];
        let family = vec![rule(RelationType::Spouse, 0), rule(RelationType::Dependent, 26)];
        let with = |covers: &[&Vec<CoveredRelation>], users: &[AuthorizedUserType]| {
            let mut order = order(&vec![(false, 9); covers.len()], users);
            for (line, covers) in order.offers[0].lines.iter_mut().zip(covers) {
                line.covers.clone_from(covers);
            }
            order
        };
        check(&with(&[&couple], &[Spouse])).unwrap();
        let refused = check(&with(&[&couple], &[Spouse, Dependent])).unwrap_err();
        assert!(refused.is(ErrorReason::AuthorizedUserNotCovered) && refused.find_fact("authorized_user") == Some("1"));
        check(&with(&[&couple, &family], &[Spouse, Dependent])).unwrap();
        let children = vec![rule(RelationType::Dependent, 26)];
        check(&with(&[&couple, &children], &[Spouse, Dependent])).unwrap();
        let mut grown = with(&[&family], &[Dependent]);
        grown.authorized_users[0].birth_date = Some(Date { year: 2000, ..TODAY });
        assert!(check(&grown).unwrap_err().is(ErrorReason::AuthorizedUserNotCovered));
        grown.authorized_users[0].birth_date = Some(Date { year: 2001, ..TODAY });
        check(&grown).unwrap();
    }
}
