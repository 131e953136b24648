//! `members.fill_from_orders`: fills the profile of a buyer from a purchase.

use pavise_kernel::common::v1::{JournalEntry, PersonName};
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::actions::order_audit as actions;
use crate::contract::feeds;
use crate::contract::orders::{Order, OrderStatus};
use crate::contract::v1::profile_service_client::ProfileServiceClient;
use crate::contract::v1::{FillProfileRequest, ProfileAddress, ProfileEmail, ProfilePhoneNumber};

/// The worker.
#[derive(Debug)]
pub(crate) struct FillFromOrders;

#[async_trait]
impl Worker for FillFromOrders {
    fn name(&self) -> &'static str {
        "members.fill_from_orders"
    }

    fn feed(&self) -> JournalFeed {
        feeds::ORDERS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let order = worker::decode_entity::<Order>(entry)?.filter(|order| is_purchase(entry, order));
        let Some(request) = order.and_then(build_request) else { return Ok(()) };
        let mut profiles = ProfileServiceClient::new(work.peer_channel("members"));
        profiles.fill_profile(work.new_request(request, "fill")).await?;
        Ok(())
    }
}

/// Whether the entry is a purchase, or an order that was purchased elsewhere.
fn is_purchase(entry: &JournalEntry, order: &Order) -> bool {
    let was_made_so = entry.version == 1 && order.status() != OrderStatus::Open;
    let was_bought = entry.action == actions::STATUS_CHANGED && order.status() == OrderStatus::Processing;
    !entry.removed && (was_made_so || was_bought)
}

/// The request with what the buyer said of themselves; `None` for an order without an owner or a buyer.
fn build_request(order: Order) -> Option<FillProfileRequest> {
    let buyer = order.personal_info.filter(|_| !order.owner_id.is_empty())?;
    let name = PersonName { first_name: buyer.first_name, last_name: buyer.last_name, ..PersonName::default() };
    let phone = ProfilePhoneNumber { r#type: buyer.phone_type, number: buyer.phone_number, ..Default::default() };
    let address = order.address.map(|address| ProfileAddress { address: Some(address), ..Default::default() });
    // An address of an order may lack what a letter needs.
    let is_whole = |item: &ProfileAddress| item.address.as_ref().is_some_and(|one| !one.address1.is_empty());
    Some(FillProfileRequest {
        identity_id: order.owner_id,
        name: Some(name).filter(|name| !name.first_name.is_empty() && !name.last_name.is_empty()),
        locale: order.locale,
        emails: vec![ProfileEmail { address: buyer.email, ..Default::default() }],
        phone_numbers: Some(phone).filter(|phone| !phone.number.is_empty()).into_iter().collect(),
        addresses: address.filter(is_whole).into_iter().collect(),
        ..FillProfileRequest::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::orders::PersonalInfo;

    #[test]
    fn a_buyer_without_a_telephone_brings_none() {
        let buyer = PersonalInfo {
            first_name: "Ada".into(),
            last_name: "Lee".into(),
            email: "ada@example.com".into(),
            ..PersonalInfo::default()
        };
        let order = Order { owner_id: "ada".into(), personal_info: Some(buyer), ..Order::default() };
        let request = build_request(order.clone()).unwrap();
        assert_eq!(request.name.unwrap().first_name, "Ada");
        assert!(request.phone_numbers.is_empty() && request.addresses.is_empty());
        assert_eq!(build_request(Order { owner_id: String::new(), ..order }), None, "nobody's");
    }
}
