//! Moving the days of a subscription.

use pavise_kernel::common::v1::{BillingPeriod, Date};
use pavise_kernel::time::{days, is_real};
use pavise_kernel::{Call, Error, Result};

use super::cycle;
use crate::contract::v1::{
    ErrorReason, Subscription, UpdateSubscriptionNextBillOnRequest, UpdateSubscriptionPaidToDateRequest,
    UpdateSubscriptionStartedOnRequest,
};

/// Corrects the first day.
pub(super) async fn started_on(call: &Call, request: &UpdateSubscriptionStartedOnRequest) -> Result<Subscription> {
    let day = required("started_on", request.started_on)?;
    call.change::<Subscription>(&request.subscription_id, |subscription| {
        subscription.started_on = Some(day);
        ordered(subscription, "started_on")
    })
    .await
}

/// Moves the next billing day.
pub(super) async fn next_bill_on(call: &Call, request: &UpdateSubscriptionNextBillOnRequest) -> Result<Subscription> {
    let day = required("next_bill_on", request.next_bill_on)?;
    call.change::<Subscription>(&request.subscription_id, |subscription| {
        subscription.next_bill_on = Some(day);
        ordered(subscription, "next_bill_on")
    })
    .await
}

/// Corrects the last day that is paid for.
pub(super) async fn paid_to_date(call: &Call, request: &UpdateSubscriptionPaidToDateRequest) -> Result<Subscription> {
    let day = required("paid_to_date", request.paid_to_date)?;
    call.change::<Subscription>(&request.subscription_id, |subscription| {
        subscription.paid_to_date = Some(day);
        Ok(())
    })
    .await
}

/// Moves the next billing day by one billing.
pub(super) async fn advance(call: &Call, id: &str) -> Result<Subscription> {
    call.change::<Subscription>(id, |subscription| {
        let (period, frequency) = (subscription.billing_period(), subscription.billing_frequency);
        let next = subscription.next_bill_on.and_then(|day| cycle::next(day, period, frequency, subscription.bill_cycle_day));
        subscription.next_bill_on = Some(next.ok_or_else(|| no_cycle(period))?);
        Ok(())
    })
    .await
}

fn no_cycle(period: BillingPeriod) -> Error {
    let period = match period {
        BillingPeriod::PayPeriod => "PAY_PERIOD follows the payroll",
        _ => "the subscription has no next billing day",
    };
    Error::new(ErrorReason::SubscriptionHasNoCycle, format!("{period}: set the next billing day"))
}

/// A day of the calendar that must be sent.
pub(super) fn required(field: &str, day: Option<Date>) -> Result<Date> {
    match day {
        Some(day) if is_real(day) => Ok(day),
        Some(_) => Err(Error::field(field, "is no day of the calendar")),
        None => Err(Error::field(field, "is required")),
    }
}

/// Nothing is billed before the first day.
fn ordered(subscription: &Subscription, field: &str) -> Result<()> {
    match (subscription.started_on, subscription.next_bill_on) {
        (Some(first), Some(next)) if days(next) < days(first) => {
            Err(Error::field(field, "the next billing day would lie before the first day"))
        }
        _ => Ok(()),
    }
}
