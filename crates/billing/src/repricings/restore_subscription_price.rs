//! Drops the price of a withdrawn repricing that waits at a subscription.

use pavise_kernel::{Aggregate as _, Call, Error, Result};

use super::support::load::load_repricing;
use crate::contract::actions::{repricing as actions, subscription as subscription_actions};
use crate::contract::v1::{
    RepricingRow, RepricingRowStatus, RepricingStatus, RestoreSubscriptionPriceRequest,
    RestoreSubscriptionPriceResponse, Subscription,
};
use crate::shared::retry::retry_contention;

/// Writes the row and the subscription in one commit.
pub(crate) async fn restore_subscription_price(
    call: &Call,
    request: RestoreSubscriptionPriceRequest,
) -> Result<RestoreSubscriptionPriceResponse> {
    let status = retry_contention(call, || restore_once(call, &request.repricing_row_id)).await?;
    Ok(RestoreSubscriptionPriceResponse { status: status.into() })
}

async fn restore_once(call: &Call, id: &str) -> Result<RepricingRowStatus> {
    let found: Option<RepricingRow> = call.find_unscoped(id).await?;
    let row = found.ok_or_else(|| Error::not_found(RepricingRow::TABLE.noun, id))?;
    let repricing = load_repricing(call, &row.repricing_id).await?;
    if row.status() != RepricingRowStatus::Repriced || repricing.status() != RepricingStatus::Withdrawing {
        return Ok(row.status());
    }
    let mut unit = call.unit();
    if let Some(before) = call.find_unscoped::<Subscription>(&row.subscription_id).await? {
        let mut after = before.clone();
        after.waiting_prices.retain(|one| one.repricing_id != repricing.id);
        // Another plan may have dropped it already.
        if after.waiting_prices != before.waiting_prices {
            unit.update_as(&before, after, subscription_actions::PRICE_WITHDRAWN)?;
        }
    }
    let mut withdrawn = row.clone();
    withdrawn.set_status(RepricingRowStatus::Withdrawn);
    unit.update_as(&row, withdrawn, actions::ROW_WITHDRAWN)?;
    unit.commit().await?;
    Ok(RepricingRowStatus::Withdrawn)
}
