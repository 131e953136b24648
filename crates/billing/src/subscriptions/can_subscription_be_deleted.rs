//! Tells whether a subscription can be deleted.

use pavise_kernel::{Call, Result};

use super::support::arrears::count_paid_invoices;
use crate::contract::v1::{CanSubscriptionBeDeletedRequest, CanSubscriptionBeDeletedResponse, Subscription};

/// Answers whether nothing was ever paid on the subscription.
pub(crate) async fn can_subscription_be_deleted(
    call: &Call,
    request: CanSubscriptionBeDeletedRequest,
) -> Result<CanSubscriptionBeDeletedResponse> {
    let subscription: Subscription = call.get(&request.subscription_id).await?;
    let paid_invoices = count_paid_invoices(call, &subscription).await?;
    Ok(CanSubscriptionBeDeletedResponse { can_be_deleted: paid_invoices == 0, paid_invoices })
}
