//! The first step of a transaction: every refusal that needs no vendor, and the record as CREATED.

use pavise_kernel::{Aggregate, Call, Error, Result};

use super::plan::Plan;
use super::share;
use crate::contract::actions::payment_method as actions;
use crate::contract::v1::{ErrorReason, PaymentMethod, PaymentMethodStatus, Transaction, TransactionType};
use crate::money;
use crate::payment_methods::cooldown::check_not_cooling_down;
use crate::payment_methods::{card, kind};
use crate::retry::retry_contention;
use crate::vendor::Vendors;

/// Records the transaction before the vendor is asked. Its id is our reference at the vendor.
pub(crate) async fn begin_transaction(
    vendors: &Vendors,
    call: &Call,
    plan: &Plan,
) -> Result<(Transaction, PaymentMethod)> {
    let found: Option<PaymentMethod> = call.find_unscoped(&plan.payment_method_id).await?;
    // A refund belongs to the member who paid. Their method may have another owner by now.
    let method = found.filter(|method| plan.kind == TransactionType::Refund || call.sees(method));
    let method = method.ok_or_else(|| Error::not_found(PaymentMethod::TABLE.noun, &plan.payment_method_id))?;
    check_payment_method(call, plan, &method)?;
    vendors.get(method.vendor())?;
    let begun = retry_contention(call, || record_begun(call, plan, &method)).await?;
    Ok((begun, method))
}

/// Commits the transaction, and its share of the parent if it has one.
async fn record_begun(call: &Call, plan: &Plan, method: &PaymentMethod) -> Result<Transaction> {
    let mut unit = call.unit();
    let mut transaction = Transaction {
        owner_id: call.owner().to_owned(),
        r#type: plan.kind.into(),
        payment_method_id: plan.payment_method_id.clone(),
        vendor: method.vendor,
        reference: plan.reference.clone(),
        order_id: plan.order_id.clone(),
        offer_id: plan.offer_id.clone(),
        invoice_id: plan.invoice_id.clone(),
        parent_transaction_id: plan.parent.clone(),
        request_key: plan.request_key(call),
        ..Transaction::default()
    };
    if plan.parent.is_empty() {
        transaction.amount = match plan.kind {
            TransactionType::Verify => None,
            _ => Some(money::positive("amount", plan.amount)?),
        };
    } else {
        let before = load_parent(call, plan).await?;
        let mut after = before.clone();
        transaction.amount = Some(share::reserve_share(&mut after, plan.kind, plan.amount)?);
        unit.update_as(&before, after, actions::TRANSACTION_DRAWN)?;
    }
    let transaction = unit.create_as(transaction, actions::TRANSACTION_CREATED)?;
    unit.commit().await?;
    Ok(transaction)
}

/// Loads the payment to refund or the authorization to charge. It must be of the same member and method.
async fn load_parent(call: &Call, plan: &Plan) -> Result<Transaction> {
    let found: Option<Transaction> = call.find_unscoped(&plan.parent).await?;
    let parent = found.filter(|parent| call.sees(parent) && parent.payment_method_id == plan.payment_method_id);
    let parent = parent.ok_or_else(|| Error::not_found(Transaction::TABLE.noun, &plan.parent))?;
    if parent.recorded {
        let message = "the payment was made outside the platform: record its refund with POST /v1/transactions";
        return Err(Error::new(ErrorReason::NotRefundable, message));
    }
    Ok(parent)
}

/// Checks that the method can be charged. A refund also goes to a method that is INACTIVE, has expired or is in cooldown.
fn check_payment_method(call: &Call, plan: &Plan, method: &PaymentMethod) -> Result<()> {
    if !kind::is_chargeable(method.r#type()) {
        let message = format!("a {} is not charged through a vendor", method.r#type().spelling());
        return Err(Error::new(ErrorReason::PaymentMethodNotChargeable, message));
    }
    if plan.kind == TransactionType::Refund {
        return Ok(());
    }
    if method.status() != PaymentMethodStatus::Active {
        return Err(Error::new(ErrorReason::PaymentMethodInactive, "the payment method is INACTIVE; use another"));
    }
    if method.card.as_ref().is_some_and(|card| card::is_expired(card, call.today())) {
        return Err(Error::new(ErrorReason::PaymentMethodExpired, "the card has expired"));
    }
    check_not_cooling_down(method, call.now(), "it can be tried again")
}
