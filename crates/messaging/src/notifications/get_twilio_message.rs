//! Answers the notification with a sid of the text service.

use pavise_kernel::{Call, Error, Result};

use crate::contract::lookups::notification as lookups;
use crate::contract::v1::{GetTwilioMessageRequest, Notification};

pub(crate) async fn get_twilio_message(call: &Call, request: GetTwilioMessageRequest) -> Result<Notification> {
    let sid = &request.message_sid;
    let found = call.find_id_by::<Notification>(lookups::PROVIDER_MESSAGE_ID, sid).await?;
    call.get(&found.ok_or_else(|| Error::not_found("message", sid))?).await
}
