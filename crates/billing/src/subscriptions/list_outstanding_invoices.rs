//! Lists the invoices of a subscription that are not settled.

use pavise_kernel::{Call, Result};

use super::support::arrears::load_outstanding;
use crate::contract::v1::{ListOutstandingInvoicesRequest, ListOutstandingInvoicesResponse, Subscription};

/// Lists the invoices that are not settled, newest first.
pub(crate) async fn list_outstanding_invoices(
    call: &Call,
    request: ListOutstandingInvoicesRequest,
) -> Result<ListOutstandingInvoicesResponse> {
    let subscription: Subscription = call.get(&request.subscription_id).await?;
    Ok(ListOutstandingInvoicesResponse { invoices: load_outstanding(call, &subscription.id).await? })
}
