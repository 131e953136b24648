//! The order of a member.

use pavise_catalog::demo::{
    ASSOCIATES_US, BRAND, BUSINESS_US, GROUP_US, IDENTITY, LEGAL, PERSONAL_CANADA, PERSONAL_US, SMALL_BUSINESS,
};
use pavise_kernel::common::v1::{BillingPeriod, Date};
use pavise_orders_client::v1::{
    AuthorizedUser, AuthorizedUserType, BusinessInfo, OfferChoice, OrderChannel, OrderDraft, OrderSource, PersonalInfo,
    Selection,
};

use super::Ending;
use crate::people::Person;

/// The order of a member.
pub(super) fn draft(number: u32, person: &Person, ending: Ending) -> OrderDraft {
    let (offer_id, channel) = match ending {
        Ending::Business => (BUSINESS_US, OrderChannel::BuyNow),
        Ending::Associate => (ASSOCIATES_US, OrderChannel::Hubsites),
        Ending::Employee => (GROUP_US, OrderChannel::GroupSites),
        _ if person.is_canadian() => (PERSONAL_CANADA, OrderChannel::BuyNow),
        _ => (PERSONAL_US, OrderChannel::BuyNow),
    };
    let annual = number % 4 == 3 && offer_id != GROUP_US;
    let associate = channel == OrderChannel::Hubsites;
    OrderDraft {
        offers: vec![OfferChoice {
            brand: BRAND.to_owned(),
            offer_id: offer_id.to_owned(),
            selections: selections(number, offer_id, ending),
            ..OfferChoice::default()
        }],
        authorized_users: if ending == Ending::Family { family(number, person) } else { Vec::new() },
        personal_info: Some(PersonalInfo {
            first_name: person.first.to_owned(),
            last_name: person.last.to_owned(),
            email: super::email(number),
            ..PersonalInfo::default()
        }),
        business_info: (offer_id == BUSINESS_US).then(|| business(number, person)),
        address: Some(person.address()),
        locale: person.locale.into(),
        billing_period: if annual { BillingPeriod::Annual } else { BillingPeriod::Monthly }.into(),
        channel: channel.into(),
        source: associate.then(|| OrderSource {
            name: "associate-site".to_owned(),
            associate_id: "A1042".to_owned(),
            ..OrderSource::default()
        }),
        ..OrderDraft::default()
    }
}

fn selections(number: u32, offer_id: &str, ending: Ending) -> Vec<Selection> {
    let choice = |product: &str, tier: &str, supplements: &[&str]| Selection {
        product_id: product.to_owned(),
        tier_id: tier.to_owned(),
        supplement_ids: supplements.iter().map(|one| (*one).to_owned()).collect(),
    };
    if offer_id == BUSINESS_US {
        return vec![choice(SMALL_BUSINESS, if number.is_multiple_of(2) { "up-to-10" } else { "up-to-50" }, &[])];
    }
    let tier = if ending == Ending::Family || number.is_multiple_of(3) { "family" } else { "individual" };
    let supplements: &[&str] = match number % 6 {
        1 => &["home-business"],
        4 => &["ride-share"],
        _ => &[],
    };
    let legal = choice(LEGAL, tier, supplements);
    let identity = choice(IDENTITY, tier, &[]);
    match number % 5 {
        0 | 3 => vec![legal, identity],
        4 if ending != Ending::Family => vec![identity],
        _ => vec![legal],
    }
}

fn family(number: u32, person: &Person) -> Vec<AuthorizedUser> {
    let relative = |kind: AuthorizedUserType, like: u32, birth_date: Option<Date>| {
        let named = Person::of(like, person.locale);
        AuthorizedUser {
            r#type: kind.into(),
            first_name: named.first.to_owned(),
            last_name: person.last.to_owned(),
            email: if birth_date.is_none() { format!("spouse.{number}@members.pavise.example") } else { String::new() },
            birth_date,
            ..AuthorizedUser::default()
        }
    };
    vec![
        relative(AuthorizedUserType::Spouse, number + 1_000_000, None),
        relative(AuthorizedUserType::Dependent, number + 2_000_000, Some(Date { year: 2014, month: 5, day: 17 })),
    ]
}

fn business(number: u32, person: &Person) -> BusinessInfo {
    BusinessInfo {
        name: format!("{} & Company {number}", person.last),
        first_name: person.first.to_owned(),
        last_name: person.last.to_owned(),
        email: person.email(),
        address: Some(person.address()),
        ..BusinessInfo::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buyers_of_american_offers_are_american() {
        for number in 0..60 {
            let american = matches!(Ending::of(number), Ending::Business | Ending::Associate | Ending::Employee);
            assert!(!american || !Person::nth(number).is_canadian(), "member {number} is {:?}", Ending::of(number));
        }
    }
}
