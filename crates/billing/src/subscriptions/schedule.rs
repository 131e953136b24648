//! A day on which a subscription will be cancelled.

use pavise_kernel::time::days;
use pavise_kernel::{Call, Error, Result};

use super::days::required;
use crate::contract::v1::{
    CancelReason, MigrateScheduledSubscriptionCancellationRequest, ScheduleSubscriptionCancellationRequest, Subscription,
};

/// Sets a day in the future.
pub(super) async fn set(call: &Call, request: &ScheduleSubscriptionCancellationRequest) -> Result<Subscription> {
    let day = required("cancel_on", request.cancel_on)?;
    if days(day) <= days(call.today()) {
        return Err(Error::field("cancel_on", "must be later than today"));
    }
    call.change::<Subscription>(&request.subscription_id, |subscription| {
        subscription.scheduled_cancel_on = Some(day);
        subscription.cancel_reason = request.reason;
        Ok(())
    })
    .await
}

/// Takes over what another system had set; no day clears it.
pub(super) async fn migrate(call: &Call, request: &MigrateScheduledSubscriptionCancellationRequest) -> Result<Subscription> {
    let day = request.cancel_on.map(|day| required("cancel_on", Some(day))).transpose()?;
    match (day, request.reason()) {
        (Some(_), CancelReason::Unspecified) => return Err(Error::field("reason", "is required with a day")),
        (None, reason) if reason != CancelReason::Unspecified => return Err(Error::field("reason", "goes with a day only")),
        _ => {}
    }
    call.change::<Subscription>(&request.subscription_id, |subscription| {
        subscription.scheduled_cancel_on = day;
        subscription.cancel_reason = request.reason;
        Ok(())
    })
    .await
}
