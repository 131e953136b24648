//! `messaging.apply_delivery_events`: leads notifications to the statuses that providers report.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{JournalFeed, Work, Worker, decode_entity};
use pavise_kernel::{Result, async_trait};

use crate::contract::feeds;
use crate::contract::v1::notification_service_client::NotificationServiceClient;
use crate::contract::v1::{ApplyDeliveryEventRequest, DeliveryEvent, DeliveryEventStatus};

/// The worker.
#[derive(Debug)]
pub(crate) struct ApplyDeliveryEvents;

#[async_trait]
impl Worker for ApplyDeliveryEvents {
    fn name(&self) -> &'static str {
        "messaging.apply_delivery_events"
    }

    fn feed(&self) -> JournalFeed {
        feeds::NOTIFICATIONS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let event = decode_entity::<DeliveryEvent>(entry)?;
        let Some(event) = event.filter(|event| event.status() == DeliveryEventStatus::Stored) else { return Ok(()) };
        let request = ApplyDeliveryEventRequest { delivery_event_id: event.id };
        let mut client = NotificationServiceClient::new(work.peer_channel("messaging"));
        client.apply_delivery_event(work.new_request(request, "apply")).await?;
        Ok(())
    }
}
