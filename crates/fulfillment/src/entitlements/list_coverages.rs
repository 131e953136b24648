//! Lists the plans of others that cover a person.

use std::collections::BTreeMap;

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::to_days;
use pavise_kernel::{Call, Page, Result};
use tonic::Request;

use crate::contract::lookups::entitlement as lookups;
use crate::contract::orders::order_service_client::OrderServiceClient;
use crate::contract::orders::{GetOrderRequest, PersonalInfo};
use crate::contract::v1::{Coverage, Entitlement, EntitlementStatus, ListCoveragesRequest, ListCoveragesResponse};

/// Lists the entitlements that name the person, reduced to the fields that the person may see.
pub(crate) async fn list_coverages(call: &Call, request: ListCoveragesRequest) -> Result<ListCoveragesResponse> {
    let page = Page {
        size: request.page_size,
        token: &request.page_token,
        filters: [EntitlementStatus::Active, EntitlementStatus::Suspended]
            .map(|status| (lookups::STATUS, status.spelling().to_owned()))
            .to_vec(),
    };
    let (found, next_page_token) = call.page_of::<Entitlement>(Some("authorized_users.id"), page).await?;
    let mut names = HolderNames::default();
    let mut coverages = Vec::with_capacity(found.len());
    for mut entitlement in found {
        if entitlement.holder_name.is_empty() {
            entitlement.holder_name = names.load(call, &entitlement).await;
        }
        coverages.extend(coverage_of(entitlement, call.owner()));
    }
    Ok(ListCoveragesResponse { coverages, next_page_token })
}

/// The names of holders on their orders, for entitlements from before the field was introduced.
#[derive(Default)]
struct HolderNames(BTreeMap<String, String>);

impl HolderNames {
    /// Loads the name on the holder's order. It is empty if the order has another owner or the service does not answer:
    /// a coverage without a name is better than none.
    async fn load(&mut self, call: &Call, entitlement: &Entitlement) -> String {
        let order_id = entitlement.order_id.clone();
        if order_id.is_empty() {
            return String::new();
        }
        if let Some(known) = self.0.get(&order_id) {
            return known.clone();
        }
        let identity_id = entitlement.owner_id.clone();
        let ask = Request::new(GetOrderRequest { order_id: order_id.clone(), identity_id, ..Default::default() });
        let order =
            OrderServiceClient::new(call.peer_channel("orders")).get_order(ask).await.map(tonic::Response::into_inner);
        let name = order.ok().and_then(|order| order.personal_info).map(|buyer| full_name(&buyer)).unwrap_or_default();
        self.0.insert(order_id, name.clone());
        name
    }
}

fn full_name(buyer: &PersonalInfo) -> String {
    format!("{} {}", buyer.first_name, buyer.last_name).trim().to_owned()
}

/// The view of an entitlement for a person whom it covers. The fields are named one by one, so that a new field of the
/// holder stays out.
fn coverage_of(entitlement: Entitlement, person: &str) -> Option<Coverage> {
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
        covered_since: later_of(entitlement.effective_on, user.added_on),
        ends_on: entitlement.ends_on,
        friendly_id: entitlement.friendly_id,
        service_area: entitlement.service_area,
        product_version: entitlement.product_version,
        fulfillment_status: entitlement.fulfillment_status,
    })
}

fn later_of(one: Option<Date>, other: Option<Date>) -> Option<Date> {
    [one, other].into_iter().flatten().max_by_key(|day| to_days(*day))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::EntitlementPerson;

    const FIRST: Date = Date { year: 2026, month: 1, day: 1 };
    const LATER: Date = Date { year: 2026, month: 3, day: 2 };

    fn plan(begins: Date, added_on: Option<Date>) -> Entitlement {
        let person = EntitlementPerson { id: "ann".to_owned(), added_on, ..Default::default() };
        Entitlement { effective_on: Some(begins), authorized_users: vec![person], ..Default::default() }
    }

    #[test]
    fn a_person_is_covered_from_the_later_of_both_days() {
        let since = |plan: Entitlement| coverage_of(plan, "ann").unwrap().covered_since;
        assert_eq!(since(plan(FIRST, None)), Some(FIRST), "the person came with the plan");
        assert_eq!(since(plan(FIRST, Some(LATER))), Some(LATER));
        assert_eq!(since(plan(LATER, Some(FIRST))), Some(LATER), "the plan begins later");
    }

    #[test]
    fn a_plan_shows_nothing_to_people_whom_it_does_not_cover() {
        assert_eq!(coverage_of(plan(FIRST, None), "ben"), None);
        let delegate = EntitlementPerson { id: "ben".to_owned(), ..Default::default() };
        let acting = Entitlement { delegates: vec![delegate], ..plan(FIRST, None) };
        assert_eq!(coverage_of(acting, "ben"), None, "a delegate is not covered");
    }
}
