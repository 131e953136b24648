//! Brings a subscription in line with its invoices.

use pavise_kernel::{Call, Result};

use super::support::arrears::load_newest;
use super::support::dunning::{find_paid_until, follow_arrears};
use crate::contract::actions::subscription as actions;
use crate::contract::v1::{InvoiceStatus, ReviewSubscriptionRequest, Subscription, SubscriptionStatus};
use crate::shared::retry::retry_contention;

/// Suspends it, brings it back, or moves its last paid day, as its invoices say now. So a repeat changes nothing.
pub(crate) async fn review_subscription(call: &Call, request: ReviewSubscriptionRequest) -> Result<Subscription> {
    retry_contention(call, || review(call, &request.subscription_id)).await
}

async fn review(call: &Call, id: &str) -> Result<Subscription> {
    let before: Subscription = call.get(id).await?;
    if before.status() == SubscriptionStatus::Cancelled {
        return call.answer_unchanged(before).await;
    }
    let invoices = load_newest(call, id).await?;
    let mut after = before.clone();
    after.paid_to_date = find_paid_until(&invoices, before.paid_to_date);
    follow_arrears(&mut after, &invoices, call.today());
    if after == before {
        return call.answer_unchanged(before).await;
    }
    let mut unit = call.unit();
    // A payment meanwhile must not be followed by a suspension.
    for invoice in invoices.iter().filter(|invoice| invoice.status() == InvoiceStatus::Delinquent) {
        unit.expect_unchanged(invoice);
    }
    let action = if after.status != before.status {
        actions::STATUS_CHANGED
    } else if after.paid_to_date != before.paid_to_date {
        actions::PAID_TO_DATE_UPDATED
    } else {
        actions::ARREARS_UPDATED
    };
    let after = unit.update_as(&before, after, action)?;
    unit.commit_answer(after).await
}
