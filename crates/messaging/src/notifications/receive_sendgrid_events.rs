//! Takes the events of the mail service.

use pavise_kernel::common::v1::RawAnswer;
use pavise_kernel::{Call, Common, Error, Result};

use super::support::events::store_events;
use super::support::sendgrid::{check_signature, read_events};
use crate::config::Config;
use crate::contract::v1::ReceiveSendgridEventsRequest;

pub(crate) async fn receive_sendgrid_events(call: &Call, request: ReceiveSendgridEventsRequest) -> Result<RawAnswer> {
    let config = call.find_provided::<Config>()?;
    let key = config.sendgrid_verification_key.as_deref().ok_or_else(|| {
        let message = "events of SendGrid are taken once sendgrid-verification-key is set";
        Error::new(Common::NotConfigured, message).with("setting", "sendgrid-verification-key")
    })?;
    check_signature(key, (&request.signature, &request.timestamp), &request.body, call.machine_now())?;
    store_events(call, read_events(&request.body)?).await
}
