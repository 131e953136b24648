//! Pays an invoice, or a part of it.

use pavise_kernel::{Call, Error, Result};

use super::support::finish::answer_charge;
use super::support::payments::{add_payment, mark_paid};
use super::support::recorded_transaction::{load_transaction, not_usable_error};
use super::support::sums::{Sums, amount_on, check_at_rest, is_in_progress};
use crate::contract::actions::invoice as actions;
use crate::contract::roles;
use crate::contract::v1::{
    ErrorReason, Invoice, InvoicePayment, PayInvoiceRequest, Transaction, TransactionStatus, TransactionType,
};
use crate::shared::admission::check_invoice;
use crate::shared::money;
use crate::shared::retry::retry_contention;

/// Pays by charging a payment method, or by recording an approved transaction.
pub(crate) async fn pay_invoice(call: &Call, request: PayInvoiceRequest) -> Result<Invoice> {
    if let Some(amount) = request.amount {
        money::check_positive("amount", Some(amount))?;
    }
    if !request.transaction_id.is_empty() {
        return pay_by_transaction(call, &request).await;
    }
    let mut invoice: Invoice = call.get(&request.invoice_id).await?;
    // A repeat of the call finds the payment that it began.
    let id = call.repeatable_id("payment");
    if !has_payment(&invoice, &id) {
        if Sums::of(&invoice).payable_amount() == 0 && request.amount.is_none() && !is_in_progress(&invoice) {
            return call.change::<Invoice>(&request.invoice_id, mark_paid).await;
        }
        invoice = reserve_payment(call, &request, &id).await?;
        if call.validate_only() {
            return Ok(invoice);
        }
    }
    answer_charge(call, &invoice, &id).await
}

fn has_payment(invoice: &Invoice, id: &str) -> bool {
    invoice.payments.iter().any(|payment| payment.id == id)
}

/// Records an approved transaction as a payment. A transaction pays one invoice, once.
async fn pay_by_transaction(call: &Call, request: &PayInvoiceRequest) -> Result<Invoice> {
    if !call.has_role(roles::STAFF) {
        return Err(Error::field("transaction_id", "is for staff and machines: name a payment method to charge"));
    }
    if !request.payment_method_id.is_empty() {
        return Err(Error::field("payment_method_id", "does not go together with transaction_id"));
    }
    let invoice: Invoice = call.get(&request.invoice_id).await?;
    if invoice.transaction_ids.contains(&request.transaction_id) {
        return Ok(invoice);
    }
    let transaction = load_transaction(call, &request.transaction_id).await?;
    let usable = usable_amount(&transaction)?;
    let amount = request.amount.unwrap_or_else(|| amount_on(&invoice, usable));
    money::check_currency("transaction", transaction.amount.map_or(0, |whole| whole.currency), &amount)?;
    money::check_currency("invoice", invoice.currency, &amount)?;
    if amount.amount > usable {
        let most = money::format_amount(&amount_on(&invoice, usable));
        return Err(Error::new(
            ErrorReason::TransactionNotUsable,
            format!("at most {most} of the transaction can be used"),
        ));
    }
    let payment = InvoicePayment {
        id: call.repeatable_id("payment"),
        amount: Some(amount),
        status: TransactionStatus::Approved.into(),
        payment_method_id: transaction.payment_method_id.clone(),
        transaction_id: transaction.id.clone(),
        at: Some(call.timestamp()),
        ..InvoicePayment::default()
    };
    call.change::<Invoice>(&request.invoice_id, |invoice| add_payment(invoice, payment.clone())).await
}

/// The amount of a transaction that can pay an invoice: an approved payment less its refunds.
fn usable_amount(transaction: &Transaction) -> Result<i64> {
    let is_payment = matches!(transaction.r#type(), TransactionType::Charge | TransactionType::Sale);
    if !is_payment || transaction.status() != TransactionStatus::Approved {
        return Err(not_usable_error(transaction));
    }
    let (whole, refunded) = (transaction.amount.as_ref(), transaction.refunded_amount.as_ref());
    Ok(money::to_minor_units(whole).saturating_sub(money::to_minor_units(refunded)))
}

/// Adds the payment as CREATED, which reserves its amount before the vendor is asked.
async fn reserve_payment(call: &Call, request: &PayInvoiceRequest, id: &str) -> Result<Invoice> {
    retry_contention(call, || async {
        let before: Invoice = call.get(&request.invoice_id).await?;
        if has_payment(&before, id) {
            // The same call runs twice at once, and the other run was faster.
            return Ok(before);
        }
        call.check_transition(&before)?;
        let named = [&request.payment_method_id, &before.payment_method_id].into_iter().find(|id| !id.is_empty());
        let method = named.ok_or_else(|| Error::field("payment_method_id", "is required: the invoice names none"))?;
        check_invoice(call, &before, method).await?;
        let payable = Sums::of(&before).payable_amount();
        if payable == 0 {
            check_at_rest(&before)?;
        }
        let amount = request.amount.unwrap_or_else(|| amount_on(&before, payable));
        money::check_currency("invoice", before.currency, &amount)?;
        let payment = InvoicePayment {
            id: id.to_owned(),
            amount: Some(amount),
            status: TransactionStatus::Created.into(),
            payment_method_id: method.clone(),
            at: Some(call.timestamp()),
            ..InvoicePayment::default()
        };
        let mut after = before.clone();
        add_payment(&mut after, payment)?;
        let mut unit = call.unit();
        let after = unit.update_as(&before, after, actions::PAYMENT_UPDATED)?;
        unit.commit().await?;
        Ok(after)
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Money;

    #[test]
    fn an_approved_payment_pays_what_was_not_refunded() {
        let usd = |amount| Some(Money { currency: 1, amount });
        let sale = Transaction {
            r#type: TransactionType::Sale.into(),
            status: TransactionStatus::Approved.into(),
            amount: usd(100),
            refunded_amount: usd(40),
            ..Transaction::default()
        };
        assert_eq!(usable_amount(&sale).unwrap(), 60);
        let timed_out = Transaction { status: TransactionStatus::Timedout.into(), ..sale.clone() };
        assert!(usable_amount(&timed_out).unwrap_err().is(ErrorReason::TransactionNotUsable));
        let refund = Transaction { r#type: TransactionType::Refund.into(), ..sale };
        assert!(usable_amount(&refund).unwrap_err().is(ErrorReason::TransactionNotUsable));
    }
}
