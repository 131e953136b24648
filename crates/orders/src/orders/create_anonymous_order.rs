//! Makes and prices the order of a visitor.

use pavise_kernel::{Call, Result};

use super::support::new_order::create_from_draft;
use crate::contract::roles;
use crate::contract::v1::{CreateAnonymousOrderRequest, Order};

/// The order of a visitor belongs to nobody. The order of a signed-in member belongs to the member.
pub(crate) async fn create_anonymous_order(call: &Call, request: CreateAnonymousOrderRequest) -> Result<Order> {
    let caller = call.caller();
    let own = call.has_role(roles::MEMBER) && caller.actor.is_none();
    let owner_id = if own { caller.identity.clone() } else { String::new() };
    create_from_draft(call, owner_id, String::new(), request.order).await
}
