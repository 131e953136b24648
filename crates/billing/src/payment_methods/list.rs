//! Listing payment methods: what was deleted is not shown unless it is asked for.

use pavise_kernel::{Call, Page, Result};

use crate::contract::v1::{
    ListGroupPaymentMethodsRequest, ListPaymentMethodsRequest, ListPaymentMethodsResponse, PaymentMethodStatus,
};

/// A page of a member's methods.
pub(super) async fn of_member(call: &Call, request: &ListPaymentMethodsRequest) -> Result<ListPaymentMethodsResponse> {
    let status = match request.status() {
        PaymentMethodStatus::Unspecified => PaymentMethodStatus::Active,
        said => said,
    };
    page(call, status, request.page_size, &request.page_token).await
}

/// A page of what a group's administrators added for a member.
pub(super) async fn of_group(call: &Call, request: &ListGroupPaymentMethodsRequest) -> Result<ListPaymentMethodsResponse> {
    page(call, PaymentMethodStatus::Active, request.page_size, &request.page_token).await
}

async fn page(call: &Call, status: PaymentMethodStatus, size: i32, token: &str) -> Result<ListPaymentMethodsResponse> {
    let filters = vec![("status", status.spelling().to_owned())];
    let (payment_methods, next_page_token) = call.page(Page { size, token, filters }).await?;
    Ok(ListPaymentMethodsResponse { payment_methods, next_page_token })
}
