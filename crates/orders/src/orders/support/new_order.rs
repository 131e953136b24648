//! New orders of plans.

use pavise_kernel::{Call, Error, Result};

use super::draft::build_order;
use super::people::check_covered;
use super::price::price_order;
use super::problem::check_sellable;
use crate::contract::v1::{Order, OrderDraft};

/// Makes and prices the order of a buyer. An empty `owner_id` means nobody.
///
/// # Errors
/// `INVALID_FIELD`, `SELECTION_REFUSED`, `AUTHORIZED_USERS_EXCEEDED`, `AUTHORIZED_USER_NOT_COVERED`, or those of prices.
pub(crate) async fn create_from_draft(
    call: &Call,
    owner_id: String,
    group_id: String,
    draft: Option<OrderDraft>,
) -> Result<Order> {
    let draft = draft.ok_or_else(|| Error::field("order", "is needed"))?;
    let mut order = build_order(call, owner_id, group_id, draft)?;
    let problems = price_order(call, &mut order).await?;
    check_sellable("order.offers", &problems)?;
    check_covered(&order, call.today())?;
    call.create(order).await
}
