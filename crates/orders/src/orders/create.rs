//! New orders.

use pavise_kernel::caller::Realm;
use pavise_kernel::{Call, Error, Result};

use super::{draft, people, price};
use crate::contract::v1::{CreateAnonymousOrderRequest, Order, OrderDraft};

/// A visitor's order belongs to nobody; that of a member who is signed in, to him.
pub(crate) async fn anonymous(call: &Call, request: CreateAnonymousOrderRequest) -> Result<Order> {
    let caller = call.caller();
    let own = caller.realm == Realm::User && caller.actor.is_none();
    let owner = if own { caller.identity.clone() } else { String::new() };
    owned(call, owner, String::new(), request.order).await
}

/// Makes and prices the order of a member.
pub(crate) async fn owned(call: &Call, owner_id: String, group_id: String, draft: Option<OrderDraft>) -> Result<Order> {
    let draft = draft.ok_or_else(|| Error::field("order", "is needed"))?;
    let mut order = draft::order(call, owner_id, group_id, draft)?;
    let problems = price::price(call, &mut order).await?;
    price::sellable("order.offers", &problems)?;
    people::covered(&order)?;
    call.create(order).await
}
