//! `messaging.send_notifications`: hands new notifications over, as soon as they are written.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::time::to_micros;
use pavise_kernel::worker::{JournalFeed, Work, Worker, decode_entity};
use pavise_kernel::{Common, Error, Result, async_trait};

use crate::contract::feeds;
use crate::contract::v1::notification_service_client::NotificationServiceClient;
use crate::contract::v1::{DeliverNotificationRequest, Notification, NotificationStatus};

/// The worker.
#[derive(Debug)]
pub(crate) struct SendNotifications;

#[async_trait]
impl Worker for SendNotifications {
    fn name(&self) -> &'static str {
        "messaging.send_notifications"
    }

    fn feed(&self) -> JournalFeed {
        feeds::NOTIFICATIONS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(notification) = decode_entity::<Notification>(entry)? else { return Ok(()) };
        let is_new = notification.status() == NotificationStatus::Pending && notification.attempts.is_empty();
        let is_due = notification.next_try_at.as_ref().is_some_and(|at| to_micros(at) <= work.now());
        if entry.removed || !is_new || !is_due {
            return Ok(());
        }
        let request = DeliverNotificationRequest { notification_id: notification.id };
        let mut client = NotificationServiceClient::new(work.peer_channel("messaging"));
        match client.deliver_notification(work.new_request(request, "deliver")).await.map_err(Error::from) {
            // It was deleted, or sent otherwise. Another commit of it was faster: the timer sends it.
            Err(error) if error.is(Common::NotFound) || error.is(Common::Contention) => Ok(()),
            other => other.map(|_| ()),
        }
    }
}
