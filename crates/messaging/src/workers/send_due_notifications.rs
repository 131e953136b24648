//! `messaging.send_due_notifications`: hands notifications over whose time, or whose next try, has come.

use std::time::Duration;

use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::lookups::notification as lookups;
use crate::contract::v1::notification_service_client::NotificationServiceClient;
use crate::contract::v1::{DeliverNotificationRequest, Notification};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(5);

/// The worker.
#[derive(Debug)]
pub(crate) struct SendDueNotifications;

#[async_trait]
impl Worker for SendDueNotifications {
    fn name(&self) -> &'static str {
        "messaging.send_due_notifications"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let client = NotificationServiceClient::new(work.peer_channel("messaging"));
        work.call_for_due::<Notification, _, _, _>(lookups::DUE_TO_SEND_AT, |id| {
            let mut client = client.clone();
            let request = work.new_request(DeliverNotificationRequest { notification_id: id.clone() }, &id);
            async move { client.deliver_notification(request).await }
        })
        .await
    }
}
