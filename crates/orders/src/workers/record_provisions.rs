//! `orders.record_provisions`: records on the order the results of fulfillment.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::error::Common;
use pavise_kernel::worker::{JournalFeed, Work, Worker, decode_entity};
use pavise_kernel::{Error, Result, async_trait};

use crate::contract::feeds;
use crate::contract::fulfillment::{Provision, ProvisionStatus};
use crate::contract::v1::order_service_client::OrderServiceClient;
use crate::contract::v1::{ProvisionOrderRequest, ProvisionedOffer};

/// The worker.
pub(crate) struct RecordProvisions;

#[async_trait]
impl Worker for RecordProvisions {
    fn name(&self) -> &'static str {
        "orders.record_provisions"
    }

    fn key_name(&self) -> &'static str {
        "orders.provisioned"
    }

    fn feed(&self) -> JournalFeed {
        feeds::PROVISION
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(request) = decode_entity::<Provision>(entry)?.and_then(build_request) else { return Ok(()) };
        match OrderServiceClient::new(work.peer_channel("orders"))
            .provision_order(work.new_request(request, "record"))
            .await
        {
            Ok(_) => Ok(()),
            Err(status) => Err(postponed_error(status.into())),
        }
    }
}

/// The request to record a completed provision of an order; `None` for any other provision.
fn build_request(provision: Provision) -> Option<ProvisionOrderRequest> {
    if provision.status() != ProvisionStatus::Completed
        || provision.order_id.is_empty()
        || provision.order_offer_id.is_empty()
    {
        return None;
    }
    let made = ProvisionedOffer {
        order_offer_id: provision.order_offer_id,
        provision_id: provision.id,
        subscription_id: provision.subscription_id,
        entitlement_ids: provision.entitlement_ids,
    };
    Some(ProvisionOrderRequest { order_id: provision.order_id, offers: vec![made] })
}

/// Makes a refused status transient: another offer of the order is being paid, so the record is tried again.
fn postponed_error(error: Error) -> Error {
    if error.is(Common::StatusNotAllowed) { Error::unavailable("the order", error) } else { error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_completed_provision_of_an_order_is_recorded() {
        let done = Provision {
            id: "p".into(),
            status: ProvisionStatus::Completed.into(),
            order_id: "o".into(),
            order_offer_id: "a".into(),
            entitlement_ids: vec!["e".into()],
            ..Provision::default()
        };
        assert_eq!(build_request(done.clone()).map(|request| request.order_id), Some("o".to_owned()));
        assert_eq!(build_request(Provision { status: ProvisionStatus::InProgress.into(), ..done.clone() }), None);
        assert_eq!(build_request(Provision { order_id: String::new(), ..done }), None);
    }

    #[test]
    fn an_order_that_is_being_paid_is_asked_again() {
        assert!(postponed_error(Error::new(Common::StatusNotAllowed, "PROCESSING")).is_transient());
        assert!(!postponed_error(Error::new(Common::NotFound, "gone")).is_transient());
    }
}
