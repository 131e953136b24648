//! `messaging.send_communications`: makes a notification of a scheduled communication that is being sent.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{JournalFeed, Work, Worker, decode_entity};
use pavise_kernel::{Common, Error, Result, async_trait};
use tonic::Request;

use crate::contract::feeds;
use crate::contract::v1::notification_service_client::NotificationServiceClient;
use crate::contract::v1::scheduled_communication_service_client::ScheduledCommunicationServiceClient;
use crate::contract::v1::*;

/// The longest reason of a failure, in characters.
const LONGEST: usize = 400;

/// The worker.
#[derive(Debug)]
pub(crate) struct SendCommunications;

#[async_trait]
impl Worker for SendCommunications {
    fn name(&self) -> &'static str {
        "messaging.send_communications"
    }

    fn feed(&self) -> JournalFeed {
        feeds::SCHEDULED_COMMUNICATIONS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(communication) = decode_entity::<ScheduledCommunication>(entry)? else { return Ok(()) };
        if communication.status() != ScheduledCommunicationStatus::Processing {
            return Ok(());
        }
        let scheduled_communication_id = communication.id.clone();
        let made = NotificationServiceClient::new(work.peer_channel("messaging"))
            .send_notification(build_request(communication)?)
            .await
            .map_err(Error::from);
        let record = match made {
            Ok(notification) => RecordScheduledCommunicationRequest {
                scheduled_communication_id,
                notification_id: notification.into_inner().id,
                ..RecordScheduledCommunicationRequest::default()
            },
            Err(error) => RecordScheduledCommunicationRequest {
                scheduled_communication_id,
                failure: error.message().chars().take(LONGEST).collect(),
                is_final: !error.is_transient(),
                ..RecordScheduledCommunicationRequest::default()
            },
        };
        let mut client = ScheduledCommunicationServiceClient::new(work.peer_channel("messaging"));
        match client.record_scheduled_communication(work.new_request(record, "record")).await.map_err(Error::from) {
            // An earlier run of this entry recorded it.
            Err(error) if error.is(Common::StatusNotAllowed) => Ok(()),
            other => other.map(|_| ()),
        }
    }
}

/// The request for its notification. The idempotency key is its id: of all tries together, one notification is made.
fn build_request(communication: ScheduledCommunication) -> Result<Request<SendNotificationRequest>> {
    let key = communication.id.parse().map_err(Error::internal)?;
    let notification = NotificationDraft {
        template_key: communication.template_key,
        types: communication.types,
        email: communication.email,
        phone_number: communication.phone_number,
        device_token: communication.device_token,
        locale: communication.locale,
        values: communication.values,
        expires_at: communication.expires_at,
        source: communication.source,
        deliver_on: None,
    };
    let identity_id = communication.owner_id;
    let send =
        SendNotificationRequest { notification: Some(notification), identity_id, ..SendNotificationRequest::default() };
    let mut request = Request::new(send);
    request.metadata_mut().insert("idempotency-key", key);
    Ok(request)
}
