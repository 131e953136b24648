//! Lets the new price of a repricing wait at a subscription, or records why it keeps its own.

use pavise_kernel::{Call, Common, Result};

use super::support::cohort::{CohortResult, judge_subscription, list_waiting_prices};
use super::support::load::load_repricing;
use super::support::pages::row_id;
use crate::contract::actions::{repricing as actions, subscription as subscription_actions};
use crate::contract::v1::{
    RepriceSubscriptionRequest, RepriceSubscriptionResponse, RepricingRow, RepricingRowStatus, RepricingStatus,
    Subscription,
};
use crate::shared::retry::retry_contention;

/// Writes the row and the subscription in one commit.
pub(crate) async fn reprice_subscription(
    call: &Call,
    request: RepriceSubscriptionRequest,
) -> Result<RepriceSubscriptionResponse> {
    let status = retry_contention(call, || async {
        match reprice_once(call, &request).await {
            // Another process wrote the same row.
            Err(error) if error.is(Common::AlreadyExists) => reprice_once(call, &request).await,
            other => other,
        }
    })
    .await?;
    Ok(RepriceSubscriptionResponse { status: status.into() })
}

async fn reprice_once(call: &Call, request: &RepriceSubscriptionRequest) -> Result<RepricingRowStatus> {
    let id = row_id(&request.repricing_id, &request.subscription_id);
    if let Some(known) = call.find_unscoped::<RepricingRow>(&id).await? {
        return Ok(known.status());
    }
    let repricing = load_repricing(call, &request.repricing_id).await?;
    let found: Option<Subscription> = call.find_unscoped(&request.subscription_id).await?;
    let Some(before) = found.filter(|_| repricing.status() == RepricingStatus::Requested) else {
        return Ok(RepricingRowStatus::Unspecified);
    };
    let mut row = RepricingRow {
        id,
        status: RepricingRowStatus::Repriced.into(),
        repricing_id: repricing.id.clone(),
        subscription_id: before.id.clone(),
        ..RepricingRow::default()
    };
    let mut unit = call.unit();
    match judge_subscription(&before, &repricing) {
        CohortResult::Outside => return Ok(RepricingRowStatus::Unspecified),
        CohortResult::Skipped(reason) => {
            row.set_status(RepricingRowStatus::Skipped);
            row.set_skip_reason(reason);
            // The row says how the subscription stood.
            unit.expect_unchanged(&before);
        }
        CohortResult::Matching => {
            let mut after = before.clone();
            after.waiting_prices.extend(list_waiting_prices(&before, &repricing));
            unit.update_as(&before, after, subscription_actions::PRICE_ANNOUNCED)?;
        }
    }
    let status = row.status();
    // Once staff withdraw it, no price is announced any more.
    unit.expect_unchanged(&repricing);
    unit.create_as(row, actions::ROW_RECORDED)?;
    unit.commit().await?;
    Ok(status)
}
