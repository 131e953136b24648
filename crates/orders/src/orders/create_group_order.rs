//! Makes and prices the order of a member through an employer group.

use pavise_kernel::{Call, Result};

use super::support::new_order::create_from_draft;
use crate::contract::v1::{CreateGroupOrderRequest, Order};

pub(crate) async fn create_group_order(call: &Call, request: CreateGroupOrderRequest) -> Result<Order> {
    create_from_draft(call, request.identity_id, request.group_id, request.order).await
}
