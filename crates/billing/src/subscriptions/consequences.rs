//! Consequences of a change of a subscription.

use pavise_kernel::{Call, Consequences, Error, Result, Step, Unit};

use super::support::arrears::count_paid_invoices;
use super::support::collection::find_collection;
use super::support::end_at_once::{choose_unused_days, plan_end};
use crate::contract::actions::credit as credit_actions;
use crate::contract::actions::invoice as invoice_actions;
use crate::contract::subscription_calls::CANCEL_SUBSCRIPTION;
use crate::contract::v1::{
    Collection, ErrorReason, PaymentMethod, PaymentMethodStatus, Subscription, SubscriptionStatus,
};

impl Consequences for Subscription {
    /// A subscription on which something was paid is not removed. The payment method that one names anew stays ACTIVE
    /// until the commit. How the money comes in follows from what it depends on. Unused days
    /// give what the caller chose, or else the platform's setting.
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        if let Step { before: Some(before), after: Some(after), .. } = step
            && depends_anew(before, after)
        {
            let collection = find_collection(call, after).await?;
            after.set_collection(collection);
        }
        if let Step { unit, before: Some(before), after: Some(after), .. } = step
            && is_ended_at_once(call, before, after)
        {
            let given = choose_unused_days(call, after.unused_days())?;
            after.set_unused_days(given);
            let plan = plan_end(call, before, given).await?;
            for (paid, refunding) in plan.invoices {
                unit.update_as(&paid, refunding, invoice_actions::PAYMENT_UPDATED)?;
            }
            for credit in plan.credits {
                unit.create_as(credit, credit_actions::CREATED)?;
            }
        }
        if let Step { unit, before: Some(before), after: Some(after), .. } = step
            && before.payment_method_id != after.payment_method_id
        {
            return expect_method(call, unit, &after.payment_method_id).await;
        }
        let Step { before: Some(before), after: None, .. } = step else { return Ok(()) };
        if count_paid_invoices(call, before).await? > 0 {
            let message = "invoices of the subscription, or of the order that it came from, were paid: cancel it";
            return Err(Error::new(ErrorReason::SubscriptionHasPayments, message));
        }
        Ok(())
    }
}

/// Whether the call ends a subscription at once. Others end it on its day, or because it is not paid.
fn is_ended_at_once(call: &Call, before: &Subscription, after: &Subscription) -> bool {
    let is_over = |one: &Subscription| one.status() == SubscriptionStatus::Cancelled;
    !is_over(before) && is_over(after) && call.method().path == CANCEL_SUBSCRIPTION.path
}

/// Whether a change says anew how the money comes in, or nobody has found it out yet.
fn depends_anew(before: &Subscription, after: &Subscription) -> bool {
    let causes = |one: &Subscription| (one.vendor, one.billing_period, one.payment_method_id.clone());
    after.collection() == Collection::Unspecified || causes(before) != causes(after)
}

/// Lets the commit happen only while the method is as it was read. One that was deleted meanwhile would be named by a
/// subscription without a successor.
async fn expect_method(call: &Call, unit: &mut Unit<'_>, id: &str) -> Result<()> {
    let Some(method) = call.find_unscoped::<PaymentMethod>(id).await? else { return Ok(()) };
    if method.status() != PaymentMethodStatus::Active {
        return Err(Error::new(ErrorReason::PaymentMethodInactive, "the payment method is INACTIVE; use another"));
    }
    unit.expect_unchanged(&method);
    Ok(())
}
