//! What people may use through the plans of others, and since when.

use std::collections::BTreeMap;

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{date, days, micros};
use pavise_kernel::{Call, Page, Result, Settle};
use prost_types::Timestamp;
use tonic::Request;

use crate::contract::orders::order_service_client::OrderServiceClient;
use crate::contract::orders::{GetOrderRequest, PersonalInfo};
use crate::contract::v1::{Coverage, Entitlement, EntitlementPerson, ListCoveragesRequest, ListCoveragesResponse};

impl Settle for Entitlement {
    /// Who is new on it was added today, whatever a caller says of the day. A new holder is not called as the one before,
    /// nor among those whom he lets use it.
    fn settle(&mut self, before: Option<&Self>, at: &Timestamp) -> Result<()> {
        let today = date(micros(at));
        if before.is_some_and(|before| before.owner_id != self.owner_id) {
            self.holder_name.clear();
            self.authorized_users.retain(|person| person.id != self.owner_id);
            self.delegates.retain(|person| person.id != self.owner_id);
        }
        let (users, delegates) = before.map_or((None, None), |before| (Some(&before.authorized_users), Some(&before.delegates)));
        dated(&mut self.authorized_users, users, today);
        dated(&mut self.delegates, delegates, today);
        Ok(())
    }
}

/// Those who were there keep their day, and those who came with the entitlement have none: its first day is theirs. Who
/// has nothing new but the id is the one in whose place he is.
fn dated(people: &mut [EntitlementPerson], before: Option<&Vec<EntitlementPerson>>, today: Date) {
    for (place, person) in people.iter_mut().enumerate() {
        person.added_on = before.and_then(|before| {
            let same = |known: &&EntitlementPerson| **known == EntitlementPerson { id: known.id.clone(), ..person.clone() };
            let known = before.iter().find(|known| known.id == person.id).or_else(|| before.get(place).filter(same));
            known.map_or(Some(today), |known| known.added_on)
        });
    }
}

/// The entitlements that name the person, as far as they are his to know.
pub(super) async fn list(call: &Call, request: &ListCoveragesRequest) -> Result<ListCoveragesResponse> {
    let page = Page {
        size: request.page_size,
        token: &request.page_token,
        filters: ["ACTIVE", "SUSPENDED"].map(|status| ("status", status.to_owned())).to_vec(),
    };
    let (found, next_page_token) = call.page_of::<Entitlement>(Some("authorized_users.id"), page).await?;
    let mut names = Names::default();
    let mut coverages = Vec::with_capacity(found.len());
    for mut entitlement in found {
        if entitlement.holder_name.is_empty() {
            entitlement.holder_name = names.of(call, &entitlement).await;
        }
        coverages.extend(of(entitlement, call.owner()));
    }
    Ok(ListCoveragesResponse { coverages, next_page_token })
}

/// The names of holders on their orders, for entitlements that are older than the name on them.
#[derive(Default)]
struct Names(BTreeMap<String, String>);

impl Names {
    /// The name on the holder's order. Where the order is somebody else's, or nobody answers, there is none: what covers a
    /// person matters more than what its holder is called.
    async fn of(&mut self, call: &Call, entitlement: &Entitlement) -> String {
        let order_id = entitlement.order_id.clone();
        if order_id.is_empty() {
            return String::new();
        }
        if let Some(known) = self.0.get(&order_id) {
            return known.clone();
        }
        let identity_id = entitlement.owner_id.clone();
        let ask = Request::new(GetOrderRequest { order_id: order_id.clone(), identity_id, ..Default::default() });
        let order = OrderServiceClient::new(call.peer("orders")).get_order(ask).await.map(tonic::Response::into_inner);
        let name = order.ok().and_then(|order| order.personal_info).map(|buyer| full_name(&buyer)).unwrap_or_default();
        self.0.insert(order_id, name.clone());
        name
    }
}

fn full_name(buyer: &PersonalInfo) -> String {
    format!("{} {}", buyer.first_name, buyer.last_name).trim().to_owned()
}

/// What an entitlement is to one whom it covers. Every field of the answer is named, so that nothing of the holder's gets
/// into it by being new.
fn of(entitlement: Entitlement, person: &str) -> Option<Coverage> {
    let user = entitlement.authorized_users.iter().find(|user| user.id == person)?;
    Some(Coverage {
        entitlement_id: entitlement.id,
        status: entitlement.status,
        product_id: entitlement.product_id,
        tier_id: entitlement.tier_id,
        supplement_ids: entitlement.supplement_ids,
        name: entitlement.name,
        family: entitlement.family,
        holder_name: entitlement.holder_name,
        relation_type: user.permission_type,
        covered_since: later(entitlement.effective_on, user.added_on),
        ends_on: entitlement.ends_on,
        friendly_id: entitlement.friendly_id,
        service_area: entitlement.service_area,
    })
}

/// Nobody is covered before the plan begins, or before he was added to it.
fn later(one: Option<Date>, other: Option<Date>) -> Option<Date> {
    [one, other].into_iter().flatten().max_by_key(|day| days(*day))
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::RelationType;

    use super::*;

    const FIRST: Date = Date { year: 2026, month: 1, day: 1 };
    /// 2026-03-02.
    const NOW: Timestamp = Timestamp { seconds: 1_772_463_600, nanos: 0 };
    const TODAY: Date = Date { year: 2026, month: 3, day: 2 };

    fn person(id: &str) -> EntitlementPerson {
        EntitlementPerson { id: id.to_owned(), permission_type: RelationType::Spouse.into(), ..Default::default() }
    }

    fn of_people(people: &[EntitlementPerson]) -> Entitlement {
        Entitlement { effective_on: Some(FIRST), authorized_users: people.to_vec(), ..Default::default() }
    }

    fn since(entitlement: &Entitlement, id: &str) -> Option<Date> {
        of(entitlement.clone(), id).unwrap().covered_since
    }

    #[test]
    fn who_came_with_the_plan_is_covered_from_its_first_day_and_who_came_later_from_theirs() {
        let mut made = of_people(&[EntitlementPerson { added_on: Some(TODAY), ..person("ann") }]);
        made.settle(None, &NOW).unwrap();
        assert_eq!(since(&made, "ann"), Some(FIRST), "a caller does not say the day");

        let mut later = of_people(&[person("ann"), person("ben")]);
        later.settle(Some(&made), &NOW).unwrap();
        assert_eq!((since(&later, "ann"), since(&later, "ben")), (Some(FIRST), Some(TODAY)));

        let mut again = of_people(&[person("ben")]);
        again.settle(Some(&later), &Timestamp { seconds: NOW.seconds + 864_000, ..NOW }).unwrap();
        assert_eq!(since(&again, "ben"), Some(TODAY), "who was there keeps the day");
    }

    #[test]
    fn the_same_person_under_another_id_keeps_the_day_and_somebody_else_does_not() {
        let old = EntitlementPerson { added_on: Some(FIRST), ..person("ann") };
        for before in [of_people(&[person("ann"), person("ben")]), of_people(&[old, person("ben")])] {
            let known = before.authorized_users[0].added_on;
            let mut merged = before.clone();
            "anna".clone_into(&mut merged.authorized_users[0].id);
            merged.settle(Some(&before), &NOW).unwrap();
            assert_eq!(merged.authorized_users[0].added_on, known);
            let mut replaced = before.clone();
            replaced.authorized_users[0] = EntitlementPerson { added_on: Some(TODAY), ..person("cat") };
            replaced.settle(Some(&before), &NOW).unwrap();
            assert_eq!(replaced.authorized_users[0].added_on, Some(TODAY));
        }
    }

    #[test]
    fn a_new_holder_has_a_name_of_his_own_and_is_not_among_his_people() {
        let named = |owner: &str| Entitlement { owner_id: owner.to_owned(), holder_name: "Ada".to_owned(), ..Default::default() };
        let before = Entitlement { delegates: vec![person("ann")], ..named("ada") };
        let before = Entitlement { authorized_users: vec![person("ben"), person("ann")], ..before };
        let mut after = Entitlement { owner_id: "ann".to_owned(), ..before.clone() };
        after.settle(Some(&before), &NOW).unwrap();
        assert_eq!((after.holder_name.as_str(), after.authorized_users.as_slice()), ("", [person("ben")].as_slice()));
        assert!(after.delegates.is_empty());
        let mut same = before.clone();
        same.settle(Some(&before), &NOW).unwrap();
        assert_eq!(same, before);
    }

    #[test]
    fn nobody_is_covered_before_the_plan_begins() {
        let begins = Date { month: 4, ..FIRST };
        let plan = Entitlement {
            effective_on: Some(begins),
            ..of_people(&[EntitlementPerson { added_on: Some(TODAY), ..person("ann") }])
        };
        assert_eq!(since(&plan, "ann"), Some(begins));
    }

    #[test]
    fn whom_it_does_not_cover_it_tells_nothing() {
        assert_eq!(of(of_people(&[person("ann")]), "ben"), None);
        let delegate = Entitlement { delegates: vec![person("ben")], ..of_people(&[]) };
        assert_eq!(of(delegate, "ben"), None, "who acts for the holder is not covered by that");
    }
}
