//! Gives an order to a member.

use pavise_kernel::{Call, Error, Result};

use crate::contract::roles;
use crate::contract::v1::{AssignOwnerRequest, Order};

pub(crate) async fn assign_owner(call: &Call, request: AssignOwnerRequest) -> Result<Order> {
    let unknown = || Error::not_found("order", &request.order_id);
    // The order is read without the ownership check: the owner in the request is the future one.
    let before: Order = call.find_unscoped(&request.order_id).await?.ok_or_else(unknown)?;
    if before.owner_id == request.identity_id {
        return call.get(&request.order_id).await;
    }
    if !before.owner_id.is_empty() && call.has_role(roles::MEMBER) {
        return Err(unknown());
    }
    call.check_transition(&before)?;
    let after = Order { owner_id: request.identity_id.clone(), ..before.clone() };
    let mut unit = call.unit();
    let after = unit.update(&before, after)?;
    unit.commit_answer(after).await
}
