//! Claims a payment method without an owner for a member.

use pavise_kernel::{Aggregate, Call, Error, Result};

use super::support::defaults;
use crate::contract::roles;
use crate::contract::v1::{AssignPaymentMethodOwnerRequest, ErrorReason, PaymentMethod};
use crate::shared::retry::retry_contention;

/// Gives the payment method to the member whom the call names, once. For other members it does not exist afterwards.
pub(crate) async fn assign_payment_method_owner(
    call: &Call,
    request: AssignPaymentMethodOwnerRequest,
) -> Result<PaymentMethod> {
    let id = &request.payment_method_id;
    retry_contention(call, || async {
        // Loaded without the ownership check: a method without an owner is visible to no member.
        let found: Option<PaymentMethod> = call.find_unscoped(id).await?;
        let before = found.ok_or_else(|| Error::not_found(PaymentMethod::TABLE.noun, id))?;
        if before.owner_id == call.owner() {
            return call.answer_unchanged(before).await;
        }
        if !before.owner_id.is_empty() {
            return Err(already_owned_error(call, id));
        }
        call.check_transition(&before)?;
        let others = defaults::load_active(call).await?;
        let is_default = !others.iter().any(|other| other.is_default);
        let mut unit = call.unit();
        let after =
            unit.update(&before, PaymentMethod { owner_id: call.owner().to_owned(), is_default, ..before.clone() })?;
        unit.commit_answer(after).await
    })
    .await
}

/// The refusal for a method that another member owns. Members must not learn that it exists.
fn already_owned_error(call: &Call, id: &str) -> Error {
    if call.has_role(roles::STAFF) {
        return Error::new(ErrorReason::PaymentMethodAlreadyOwned, "the payment method has an owner already");
    }
    Error::not_found(PaymentMethod::TABLE.noun, id)
}
