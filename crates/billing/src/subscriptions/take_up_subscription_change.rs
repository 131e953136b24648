//! Begins a change of a subscription whose day has come, and goes on with one that is being paid.

use pavise_kernel::time::to_days;
use pavise_kernel::{Call, Result};

use super::support::change_plan::plan_change;
use super::support::change_settlement::{begin_change, settle_change};
use crate::contract::v1::{Subscription, TakeUpSubscriptionChangeRequest};
use crate::shared::retry::retry_contention;

/// Takes the waiting change up on its day. A change that is declined is dropped.
pub(crate) async fn take_up_subscription_change(
    call: &Call,
    request: TakeUpSubscriptionChangeRequest,
) -> Result<Subscription> {
    let id = &request.subscription_id;
    retry_contention(call, || begin(call, id)).await?;
    let settled = settle_change(call, id).await?;
    call.answer_unchanged(settled).await
}

async fn begin(call: &Call, id: &str) -> Result<()> {
    let before: Subscription = call.get(id).await?;
    let today = call.today();
    let is_due = before.due_to_change_on.is_some_and(|day| to_days(day) <= to_days(today));
    // After the next billing day the bill takes it up.
    let is_within = before.next_bill_on.is_some_and(|next| to_days(today) < to_days(next));
    let Some(change) = before.change.clone().filter(|_| is_due && is_within) else { return Ok(()) };
    let plan = plan_change(call, &before, &change, today, &call.new_id()).await?;
    begin_change(call, &before, &change, plan).await.map(|_| ())
}
