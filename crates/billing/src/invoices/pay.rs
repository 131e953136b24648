//! Paying an invoice, or a part of it.

use pavise_kernel::table::Realm;
use pavise_kernel::{Aggregate, Call, Error, Result};

use super::charge;
use super::ledger::{self, Sums};
use super::settle::{self, Step};
use crate::contract::v1::{
    ErrorReason, Invoice, InvoicePayment, PayInvoiceRequest, Transaction, TransactionStatus, TransactionType,
};
use crate::money;
use crate::payment_methods::owner;
use crate::retry::contended;

/// Pays by a transaction that was approved already, or by charging a payment method.
pub(super) async fn pay(call: &Call, request: &PayInvoiceRequest) -> Result<Invoice> {
    if let Some(amount) = request.amount {
        money::positive("amount", Some(amount))?;
    }
    if !request.transaction_id.is_empty() {
        return by_transaction(call, request).await;
    }
    let invoice: Invoice = call.get(&request.invoice_id).await?;
    // A repeat of the call finds the payment that it began.
    let id = call.repeatable_id("payment");
    if invoice.payments.iter().any(|payment| payment.id == id) {
        return charged(call, &invoice, &id).await;
    }
    if Sums::of(&invoice).payable() == 0 && request.amount.is_none() && !ledger::in_progress(&invoice) {
        return call.change::<Invoice>(&request.invoice_id, ledger::pay_nothing).await;
    }
    let reserved = reserve(call, request, &id).await?;
    if call.validate_only() {
        return Ok(reserved);
    }
    charged(call, &reserved, &id).await
}

/// Records an approved transaction as a payment. A transaction pays one invoice, once.
async fn by_transaction(call: &Call, request: &PayInvoiceRequest) -> Result<Invoice> {
    if !matches!(call.caller().realm, Realm::Internal | Realm::Machine) {
        return Err(Error::field("transaction_id", "is for staff and machines: name a payment method to charge"));
    }
    if !request.payment_method_id.is_empty() {
        return Err(Error::field("payment_method_id", "does not go together with transaction_id"));
    }
    let invoice: Invoice = call.get(&request.invoice_id).await?;
    if invoice.transaction_ids.contains(&request.transaction_id) {
        return Ok(invoice);
    }
    let found: Option<Transaction> = call.find(&request.transaction_id).await?;
    let transaction = found.filter(|transaction| transaction.owner_id == call.owner());
    let transaction = transaction.ok_or_else(|| Error::not_found(Transaction::TABLE.noun, &request.transaction_id))?;
    let usable = usable(&transaction)?;
    let amount = request.amount.unwrap_or_else(|| ledger::amount(&invoice, usable));
    money::in_currency("transaction", transaction.amount.map_or(0, |whole| whole.currency), &amount)?;
    money::in_currency("invoice", invoice.currency, &amount)?;
    if amount.amount > usable {
        let message = format!("at most {} of the transaction can be used", money::text(&ledger::amount(&invoice, usable)));
        return Err(Error::new(ErrorReason::TransactionNotUsable, message));
    }
    let payment = InvoicePayment {
        id: call.repeatable_id("payment"),
        amount: Some(amount),
        status: TransactionStatus::Approved.into(),
        payment_method_id: transaction.payment_method_id.clone(),
        transaction_id: transaction.id.clone(),
        decline_reason: 0,
        at: Some(call.timestamp()),
    };
    call.change::<Invoice>(&request.invoice_id, |invoice| ledger::add_payment(invoice, payment.clone())).await
}

/// How much of a transaction can pay something.
fn usable(transaction: &Transaction) -> Result<i64> {
    let paid = matches!(transaction.r#type(), TransactionType::Charge | TransactionType::Sale);
    if !paid || transaction.status() != TransactionStatus::Approved {
        let message =
            format!("the transaction is a {} that is {}", transaction.r#type().spelling(), transaction.status().spelling());
        return Err(Error::new(ErrorReason::TransactionNotUsable, message));
    }
    Ok(money::minor(transaction.amount.as_ref()).saturating_sub(money::minor(transaction.refunded_amount.as_ref())))
}

/// Charges what a payment needs, and says how it ended.
async fn charged(call: &Call, invoice: &Invoice, id: &str) -> Result<Invoice> {
    let (after, refusal) = settle::payment_of(call, invoice, id, Step::Answer).await?;
    if let Some(refusal) = refusal {
        return Err(refusal);
    }
    match after.payments.iter().find(|payment| payment.id == id) {
        Some(payment) if payment.status() == TransactionStatus::Approved => Ok(after),
        Some(payment) => Err(charge::declined(payment.decline_reason().spelling(), &payment.transaction_id)),
        None => Err(Error::internal("a payment that was begun is not on its invoice")),
    }
}

/// Keeps the amount of a payment free on the invoice, before anything happens outside.
async fn reserve(call: &Call, request: &PayInvoiceRequest, id: &str) -> Result<Invoice> {
    contended(call, || async {
        let before: Invoice = call.get(&request.invoice_id).await?;
        if before.payments.iter().any(|payment| payment.id == id) {
            // The same call runs twice at once, and the other one was faster.
            return Ok(before);
        }
        call.permit(&before)?;
        let named = [&request.payment_method_id, &before.payment_method_id].into_iter().find(|id| !id.is_empty());
        let method = named.ok_or_else(|| Error::field("payment_method_id", "is required: the invoice names none"))?;
        owner::owned(call, method).await?;
        let payable = Sums::of(&before).payable();
        if payable == 0 {
            ledger::at_rest(&before)?;
        }
        let amount = request.amount.unwrap_or_else(|| ledger::amount(&before, payable));
        money::in_currency("invoice", before.currency, &amount)?;
        let payment = InvoicePayment {
            id: id.to_owned(),
            amount: Some(amount),
            status: TransactionStatus::Created.into(),
            payment_method_id: method.clone(),
            at: Some(call.timestamp()),
            ..InvoicePayment::default()
        };
        let mut after = before.clone();
        ledger::add_payment(&mut after, payment)?;
        let mut unit = call.unit();
        let after = unit.update_as(&before, after, "PAYMENT_UPDATED")?;
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
    fn only_what_is_left_of_an_approved_payment_pays() {
        let usd = |amount| Some(Money { currency: 1, amount });
        let sale = Transaction {
            r#type: TransactionType::Sale.into(),
            status: TransactionStatus::Approved.into(),
            amount: usd(100),
            refunded_amount: usd(40),
            ..Transaction::default()
        };
        assert_eq!(usable(&sale).unwrap(), 60);
        let timed_out = Transaction { status: TransactionStatus::Timedout.into(), ..sale.clone() };
        assert!(usable(&timed_out).unwrap_err().is(ErrorReason::TransactionNotUsable));
        let refund = Transaction { r#type: TransactionType::Refund.into(), ..sale };
        assert!(usable(&refund).unwrap_err().is(ErrorReason::TransactionNotUsable));
    }
}
