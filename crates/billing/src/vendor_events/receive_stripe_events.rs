//! Takes an event of Stripe.

use pavise_kernel::common::v1::RawAnswer;
use pavise_kernel::{Call, Common, Error, Result};

use super::support::stripe_event::read_event;
use crate::config::STRIPE_EVENTS;
use crate::contract::v1::{ReceiveStripeEventsRequest, VendorEvent};
use crate::shared::tools::Tools as _;
use crate::shared::vendor::stripe::signature::check_signature;

/// Tries of a commit that meets the same event in another one.
const TRIES: usize = 5;

pub(crate) async fn receive_stripe_events(call: &Call, request: ReceiveStripeEventsRequest) -> Result<RawAnswer> {
    let config = call.config()?;
    let secrets = config.stripe.as_ref().map(|account| account.event_secrets.as_slice()).unwrap_or_default();
    if secrets.is_empty() {
        let message = format!("events of Stripe are taken once {STRIPE_EVENTS} is set");
        return Err(Error::new(Common::NotConfigured, message).with("setting", STRIPE_EVENTS));
    }
    check_signature(secrets, &request.signature, &request.body, call.machine_now())?;
    store_event(call, read_event(&request.body)?).await
}

/// Stores the event unless it is there, and answers the vendor.
async fn store_event(call: &Call, event: VendorEvent) -> Result<RawAnswer> {
    let mut tries = 0;
    loop {
        let known: Option<VendorEvent> = call.find_unscoped(&event.id).await?;
        let mut unit = call.unit();
        if known.is_none() {
            unit.create(event.clone())?;
        }
        match unit.commit_answer(RawAnswer::default()).await {
            // The same event came at the same time.
            Err(error) if (error.is(Common::AlreadyExists) || error.is(Common::Contention)) && tries < TRIES => {
                tries += 1;
            }
            other => return other,
        }
    }
}
