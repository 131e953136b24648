//! Giving an order to a member.

use pavise_kernel::caller::Realm;
use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{AssignOwnerRequest, Order};

pub(crate) async fn handle(call: &Call, request: AssignOwnerRequest) -> Result<Order> {
    let unknown = || Error::not_found("order", &request.order_id);
    // Found rather than got: the contract's owner is who shall own it, not who does.
    let before: Order = call.find(&request.order_id).await?.ok_or_else(unknown)?;
    if before.owner_id == request.identity_id {
        return call.get(&request.order_id).await;
    }
    if !before.owner_id.is_empty() && call.caller().realm == Realm::User {
        return Err(unknown());
    }
    call.permit(&before)?;
    let after = Order { owner_id: request.identity_id.clone(), ..before.clone() };
    let mut unit = call.unit();
    let after = unit.update(&before, after)?;
    unit.answer(after).await
}
