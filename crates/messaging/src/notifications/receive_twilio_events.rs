//! Takes an event of the text service.

use pavise_kernel::common::v1::RawAnswer;
use pavise_kernel::{Call, Result};

use super::support::events::store_events;
use super::support::twilio::{read_event, read_signed_form};
use crate::config::Config;
use crate::contract::v1::ReceiveTwilioEventsRequest;

pub(crate) async fn receive_twilio_events(call: &Call, request: ReceiveTwilioEventsRequest) -> Result<RawAnswer> {
    let config = call.find_provided::<Config>()?;
    let token = config.twilio_auth_token.as_deref();
    let form = read_signed_form(token, (&request.url, &request.signature), &request.body)?;
    store_events(call, read_event(&form, call.now()).into_iter().collect()).await
}
