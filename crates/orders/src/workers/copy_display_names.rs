//! `orders.copy_display_names`: tells the identity domain the name of a buyer, from their last purchase.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::error::Common;
use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Error, Result, async_trait};

use super::support::entry::read_moved_order;
use crate::contract::feeds;
use crate::contract::identity::SetDisplayNameRequest;
use crate::contract::identity::identity_service_client::IdentityServiceClient;
use crate::contract::v1::{Order, OrderStatus};

/// The worker.
pub(crate) struct CopyDisplayNames;

#[async_trait]
impl Worker for CopyDisplayNames {
    fn name(&self) -> &'static str {
        "orders.copy_display_names"
    }

    fn key_name(&self) -> &'static str {
        "orders.display_names"
    }

    fn feed(&self) -> JournalFeed {
        feeds::ORDERS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let order = read_moved_order(entry, &[OrderStatus::Processing])?;
        let Some(request) = order.and_then(build_request) else { return Ok(()) };
        let mut identities = IdentityServiceClient::new(work.peer_channel("identity"));
        match identities.set_display_name(work.new_request(request, "name")).await.map_err(Error::from) {
            // The buyer has been merged or forgotten since.
            Err(error) if error.is(Common::NotFound) || error.is(Common::StatusNotAllowed) => Ok(()),
            other => other.map(|_| ()),
        }
    }
}

/// The request with a buyer's name; `None` for an order without a buyer or a name.
fn build_request(order: Order) -> Option<SetDisplayNameRequest> {
    let person = order.personal_info?;
    let name = [person.first_name.trim(), person.last_name.trim()].join(" ");
    let name = name.trim();
    (!order.owner_id.is_empty() && !name.is_empty())
        .then(|| SetDisplayNameRequest { identity_id: order.owner_id, display_name: name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::PersonalInfo;

    #[test]
    fn the_name_is_the_buyers_first_and_last_name() {
        let person =
            PersonalInfo { first_name: " Ada".into(), last_name: "Example ".into(), ..PersonalInfo::default() };
        let order = Order { owner_id: "ada".into(), personal_info: Some(person), ..Order::default() };
        let request = build_request(order.clone()).unwrap();
        assert_eq!((request.identity_id.as_str(), request.display_name.as_str()), ("ada", "Ada Example"));
        assert_eq!(build_request(Order { owner_id: String::new(), ..order.clone() }), None, "nobody's yet");
        assert_eq!(build_request(Order { personal_info: None, ..order }), None, "no name");
    }
}
