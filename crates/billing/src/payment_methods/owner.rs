//! Whose a payment method is: claiming one that was made before signing in, and moving one between identities.

use pavise_kernel::{Aggregate, Call, Error, Result};

use super::defaults;
use crate::contract::v1::{
    AssignPaymentMethodOwnerRequest, ChangePaymentMethodOwnerRequest, ErrorReason, PaymentMethod, PaymentMethodStatus,
};
use crate::retry::contended;

/// Claims a payment method for the member whom the call names. Once claimed, it is nobody else's to claim: to another
/// member it does not exist.
pub(super) async fn assign(call: &Call, request: &AssignPaymentMethodOwnerRequest) -> Result<PaymentMethod> {
    let id = &request.payment_method_id;
    contended(call, || async {
        // Loaded whoever calls: what has no owner is visible to no member yet.
        let found: Option<PaymentMethod> = call.find(id).await?;
        let before = found.ok_or_else(|| Error::not_found(PaymentMethod::TABLE.noun, id))?;
        if before.owner_id == call.owner() {
            return Ok(before);
        }
        if !before.owner_id.is_empty() {
            return Err(taken(call, id));
        }
        call.permit(&before)?;
        let others = defaults::active(call).await?;
        let is_default = !others.iter().any(|other| other.is_default);
        let mut unit = call.unit();
        let after = unit.update(&before, PaymentMethod { owner_id: call.owner().to_owned(), is_default, ..before.clone() })?;
        unit.answer(after).await
    })
    .await
}

/// A payment method of the member whom the call names, for calls of other services.
pub(crate) async fn owned(call: &Call, id: &str) -> Result<PaymentMethod> {
    let method: Option<PaymentMethod> = call.find(id).await?;
    method.filter(|method| method.owner_id == call.owner()).ok_or_else(|| Error::not_found(PaymentMethod::TABLE.noun, id))
}

/// The same, if it can be used.
pub(crate) async fn owned_and_active(call: &Call, id: &str) -> Result<PaymentMethod> {
    let method = owned(call, id).await?;
    if method.status() == PaymentMethodStatus::Active {
        return Ok(method);
    }
    Err(Error::new(ErrorReason::PaymentMethodInactive, "the payment method is INACTIVE; use another"))
}

/// Refuses what a group added for what is not that group's: it pays for its members' plans, not for their own.
///
/// # Errors
/// `PAYMENT_METHOD_NOT_CHARGEABLE`.
pub(crate) fn pays_for(method: &PaymentMethod, group_id: &str) -> Result<()> {
    if method.group_id.is_empty() || method.group_id == group_id {
        return Ok(());
    }
    let why = "the payment method was added by a group and pays for plans of that group only";
    Err(Error::new(ErrorReason::PaymentMethodNotChargeable, why))
}

/// Members do not learn that a payment method of somebody else exists.
fn taken(call: &Call, id: &str) -> Error {
    use pavise_kernel::table::Realm;
    match call.caller().realm {
        Realm::Internal | Realm::Machine => {
            Error::new(ErrorReason::PaymentMethodAlreadyOwned, "the payment method has an owner already")
        }
        Realm::Unspecified | Realm::User | Realm::Partner | Realm::GroupAdmin => Error::not_found(PaymentMethod::TABLE.noun, id),
    }
}

/// Gives a payment method to another member. It is not his default; among those who stay, the newest becomes the default.
pub(super) async fn change(call: &Call, request: &ChangePaymentMethodOwnerRequest) -> Result<PaymentMethod> {
    contended(call, || async {
        let before: PaymentMethod = call.get(&request.payment_method_id).await?;
        call.permit(&before)?;
        if before.owner_id == request.new_owner_id {
            return Ok(before);
        }
        let mut unit = call.unit();
        if before.is_default {
            defaults::pass_on(&mut unit, &before, &defaults::active(call).await?)?;
        }
        let after = PaymentMethod { owner_id: request.new_owner_id.clone(), is_default: false, ..before.clone() };
        let after = unit.update(&before, after)?;
        unit.answer(after).await
    })
    .await
}
