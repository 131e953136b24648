//! The people on an order, and how many of them its tiers cover.

use std::collections::HashSet;

use pavise_kernel::{Call, Error, Result, time};

use crate::contract::v1::{
    AuthorizedUser, AuthorizedUserType, BusinessInfo, ErrorReason, Order, PersonalInfo, PhoneType,
};
use crate::place;

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
        if born.is_some_and(|born| !time::is_real(born) || time::days(born) > time::days(call.today())) {
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
///
/// # Errors
/// `INVALID_FIELD` when the parts of its address disagree.
pub(crate) fn complete_business(path: &str, mut said: BusinessInfo) -> Result<BusinessInfo> {
    said.phone_type = phone_type_or_default(said.phone_type()).into();
    if let Some(address) = &mut said.address {
        place::complete_address(&format!("{path}business_info.address"), address)?;
    }
    Ok(said)
}

/// Checks that the chosen tiers cover the people on the order. Personal plans cover family members, and business plans
/// cover users of the business. An order without offers is not checked.
///
/// # Errors
/// `AUTHORIZED_USERS_EXCEEDED`.
pub(crate) fn check_covered(order: &Order) -> Result<()> {
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
    }
    Ok(())
}

fn phone_type_or_default(said: PhoneType) -> PhoneType {
    if said == PhoneType::Unspecified { PhoneType::Cell } else { said }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{OfferOnOrder, OrderLine};

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
        check_covered(&order(&[(false, 0), (false, 2)], &[Spouse, Dependent])).unwrap();
        assert!(
            check_covered(&order(&[(false, 2)], &[Spouse, Dependent, Dependent]))
                .unwrap_err()
                .is(ErrorReason::AuthorizedUsersExceeded)
        );
        assert!(check_covered(&order(&[(false, 2)], &[NormalUser])).is_err());
        check_covered(&order(&[(false, 0), (true, 1)], &[NormalUser])).unwrap();
        assert!(check_covered(&order(&[(true, 5)], &[Spouse])).is_err());
    }

    #[test]
    fn an_empty_order_may_name_people_already() {
        let users = order(&[], &[AuthorizedUserType::Spouse]).authorized_users;
        check_covered(&Order { authorized_users: users, ..Order::default() }).unwrap();
    }
}
