//! Makes and prices the order of a member.

use pavise_kernel::{Call, Result};

use super::support::new_order::create_from_draft;
use crate::contract::v1::{CreateOrderRequest, Order};

pub(crate) async fn create_order(call: &Call, request: CreateOrderRequest) -> Result<Order> {
    create_from_draft(call, request.identity_id, String::new(), request.order).await
}
