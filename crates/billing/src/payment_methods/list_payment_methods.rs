//! Lists the payment methods of a member.

use pavise_kernel::{Call, Page, Result};

use crate::contract::lookups::payment_method as lookups;
use crate::contract::v1::{ListPaymentMethodsRequest, ListPaymentMethodsResponse, PaymentMethodStatus};

/// Lists the active methods, unless the request names another status.
pub(crate) async fn list_payment_methods(
    call: &Call,
    request: ListPaymentMethodsRequest,
) -> Result<ListPaymentMethodsResponse> {
    let status = match request.status() {
        PaymentMethodStatus::Unspecified => PaymentMethodStatus::Active,
        named => named,
    };
    let filters = vec![(lookups::STATUS, status.spelling().to_owned())];
    let page = Page { size: request.page_size, token: &request.page_token, filters };
    let (payment_methods, next_page_token) = call.list_page(page).await?;
    Ok(ListPaymentMethodsResponse { payment_methods, next_page_token })
}
