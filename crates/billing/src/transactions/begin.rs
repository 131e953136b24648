//! The first step: everything that can be refused without asking the vendor, and the transaction as CREATED.

use pavise_kernel::{Aggregate, Call, Error, Result};

use super::{Plan, share};
use crate::contract::v1::{ErrorReason, PaymentMethod, PaymentMethodStatus, Transaction, TransactionType};
use crate::money;
use crate::payment_methods::{cooldown, create};
use crate::retry::contended;
use crate::vendor::Vendors;

/// Records the transaction, before anything happens outside. Its id is our reference at the vendor.
pub(super) async fn begin(vendors: &Vendors, call: &Call, plan: &Plan) -> Result<(Transaction, PaymentMethod)> {
    let found: Option<PaymentMethod> = call.find(&plan.payment_method_id).await?;
    // What is refunded is the member's, the method may have been given to another since.
    let method = found.filter(|method| plan.kind == TransactionType::Refund || call.sees(method));
    let method = method.ok_or_else(|| Error::not_found(PaymentMethod::TABLE.noun, &plan.payment_method_id))?;
    usable(call, plan, &method)?;
    vendors.get(method.vendor())?;
    let begun = contended(call, || async {
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
            request_key: plan.key(call),
            ..Transaction::default()
        };
        if plan.parent.is_empty() {
            transaction.amount = match plan.kind {
                TransactionType::Verify => None,
                _ => Some(money::positive("amount", plan.amount)?),
            };
        } else {
            let before = parent(call, plan).await?;
            let mut after = before.clone();
            transaction.amount = Some(share::set_aside(&mut after, plan.kind, plan.amount)?);
            unit.update_as(&before, after, "TRANSACTION_DRAWN")?;
        }
        let transaction = unit.create_as(transaction, "TRANSACTION_CREATED")?;
        unit.commit().await?;
        Ok(transaction)
    })
    .await?;
    Ok((begun, method))
}

/// The payment that is refunded, or the authorization that is charged: of the same member and the same method.
async fn parent(call: &Call, plan: &Plan) -> Result<Transaction> {
    let found: Option<Transaction> = call.find(&plan.parent).await?;
    let parent = found.filter(|parent| call.sees(parent) && parent.payment_method_id == plan.payment_method_id);
    let parent = parent.ok_or_else(|| Error::not_found(Transaction::TABLE.noun, &plan.parent))?;
    if parent.recorded {
        let message = "the payment was made outside the platform: record its refund with POST /v1/transactions";
        return Err(Error::new(ErrorReason::NotRefundable, message));
    }
    Ok(parent)
}

/// Whether the method can be asked. Money goes back to a method that was deleted, has expired or rests.
fn usable(call: &Call, plan: &Plan, method: &PaymentMethod) -> Result<()> {
    if !create::chargeable(method.r#type()) {
        let message = format!("a {} is not charged through a vendor", method.r#type().spelling());
        return Err(Error::new(ErrorReason::PaymentMethodNotChargeable, message));
    }
    if plan.kind == TransactionType::Refund {
        return Ok(());
    }
    if method.status() != PaymentMethodStatus::Active {
        return Err(Error::new(ErrorReason::PaymentMethodInactive, "the payment method is INACTIVE; use another"));
    }
    if method.card.as_ref().is_some_and(|card| create::expired(card, call.today())) {
        return Err(Error::new(ErrorReason::PaymentMethodExpired, "the card has expired"));
    }
    cooldown::awake(method, call.now(), "it can be tried again")
}
