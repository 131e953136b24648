//! What people may use through the plans of others, and since when.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{date, days, micros};
use pavise_kernel::{Call, Page, Result, Settle};
use prost_types::Timestamp;

use crate::contract::v1::{Coverage, Entitlement, EntitlementPerson, ListCoveragesRequest, ListCoveragesResponse};

impl Settle for Entitlement {
    /// Who is new on it was added today, whatever a caller says of the day.
    fn settle(&mut self, before: Option<&Self>, at: &Timestamp) -> Result<()> {
        let today = date(micros(at));
        let (users, delegates) = before.map_or((None, None), |before| (Some(&before.authorized_users), Some(&before.delegates)));
        dated(&mut self.authorized_users, users, today);
        dated(&mut self.delegates, delegates, today);
        Ok(())
    }
}

/// Those who were there keep their day, and those who came with the entitlement have none: its first day is theirs.
fn dated(people: &mut [EntitlementPerson], before: Option<&Vec<EntitlementPerson>>, today: Date) {
    for person in people {
        person.added_on = before.and_then(|before| match before.iter().find(|known| known.id == person.id) {
            Some(known) => known.added_on,
            None => Some(today),
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
    let coverages = found.into_iter().filter_map(|entitlement| of(entitlement, call.owner())).collect();
    Ok(ListCoveragesResponse { coverages, next_page_token })
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
