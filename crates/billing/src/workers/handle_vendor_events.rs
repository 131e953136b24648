//! `billing.handle_vendor_events`: asks the vendors about the things that their events name.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{JournalFeed, Work, Worker, decode_entity};
use pavise_kernel::{Result, async_trait};

use crate::contract::feeds;
use crate::contract::v1::vendor_event_service_client::VendorEventServiceClient;
use crate::contract::v1::{HandleVendorEventRequest, VendorEvent, VendorEventStatus};

/// The worker.
#[derive(Debug)]
pub(crate) struct HandleVendorEvents;

#[async_trait]
impl Worker for HandleVendorEvents {
    fn name(&self) -> &'static str {
        "billing.handle_vendor_events"
    }

    fn feed(&self) -> JournalFeed {
        feeds::VENDOR_EVENTS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let event = decode_entity::<VendorEvent>(entry)?;
        let Some(event) = event.filter(|event| event.status() == VendorEventStatus::Stored) else { return Ok(()) };
        let request = HandleVendorEventRequest { vendor_event_id: event.id };
        let mut client = VendorEventServiceClient::new(work.peer_channel("billing"));
        client.handle_vendor_event(work.new_request(request, "handle")).await?;
        Ok(())
    }
}
