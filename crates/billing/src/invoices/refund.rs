//! Giving back what was paid on an invoice, to where it came from.

use pavise_kernel::{Aggregate, Call, Error, Result};

use super::{charge, ledger, settle};
use crate::contract::v1::{
    ErrorReason, Invoice, InvoiceRefund, RefundInvoiceRequest, Transaction, TransactionStatus, TransactionType,
};
use crate::money;
use crate::retry::contended;

/// Gives back through the vendor, or records a refund that was made outside.
pub(super) async fn refund(call: &Call, request: &RefundInvoiceRequest) -> Result<Invoice> {
    if let Some(amount) = request.amount {
        money::positive("amount", Some(amount))?;
    }
    if !request.transaction_id.is_empty() {
        return by_transaction(call, request).await;
    }
    // A repeat of the call finds the refunds that it began.
    let attempt = call.repeatable_id("refund");
    let mut invoice: Invoice = call.get(&request.invoice_id).await?;
    if begun(&invoice, &attempt).is_empty() {
        invoice = reserve(call, request, &attempt).await?;
        if call.validate_only() {
            return Ok(invoice);
        }
    }
    let ids = begun(&invoice, &attempt);
    finish(call, invoice, &ids).await
}

/// The refunds that an attempt began: one for each payment that it gives back of.
fn begun(invoice: &Invoice, attempt: &str) -> Vec<String> {
    invoice.refunds.iter().map(|refund| refund.id.clone()).filter(|id| id.starts_with(attempt)).collect()
}

/// Asks for each refund that was begun, and says how it ended.
async fn finish(call: &Call, mut invoice: Invoice, begun: &[String]) -> Result<Invoice> {
    let (mut refusal, mut undecided) = (None, false);
    for id in begun {
        match settle::refund_of(call, &invoice, id).await {
            Ok((after, refused)) => {
                invoice = after;
                refusal = refusal.or(refused);
            }
            Err(error) if error.is_transient() => undecided = true,
            Err(error) => return Err(error),
        }
    }
    if undecided {
        return Err(charge::undecided());
    }
    let mine =
        |status: TransactionStatus| invoice.refunds.iter().find(|refund| begun.contains(&refund.id) && refund.status() == status);
    if mine(TransactionStatus::Approved).is_some() {
        return Ok(invoice);
    }
    let refused = mine(TransactionStatus::Declined).or_else(|| mine(TransactionStatus::HardDeclined));
    Err(refusal.unwrap_or_else(|| {
        refused.map_or_else(
            || Error::internal("a refund that was begun is not on its invoice"),
            |refund| charge::declined(refund.decline_reason().spelling(), &refund.transaction_id),
        )
    }))
}

/// Keeps the amounts free on the payments, before anything happens outside.
async fn reserve(call: &Call, request: &RefundInvoiceRequest, attempt: &str) -> Result<Invoice> {
    contended(call, || async {
        let before: Invoice = call.get(&request.invoice_id).await?;
        if !begun(&before, attempt).is_empty() {
            // The same call runs twice at once, and the other one was faster.
            return Ok(before);
        }
        call.permit(&before)?;
        ledger::at_rest(&before)?;
        let mut after = before.clone();
        for (at, (payment_id, amount)) in shares(&before, request)?.into_iter().enumerate() {
            let refund = InvoiceRefund {
                id: format!("{attempt}-{at}"),
                amount: Some(ledger::amount(&before, amount)),
                status: TransactionStatus::Created.into(),
                payment_id,
                at: Some(call.timestamp()),
                ..InvoiceRefund::default()
            };
            ledger::add_refund(&mut after, refund)?;
        }
        let mut unit = call.unit();
        let after = unit.update_as(&before, after, "PAYMENT_UPDATED")?;
        unit.commit().await?;
        Ok(after)
    })
    .await
}

/// How much is given back of which payment: of the one that is named, else of the newest first.
fn shares(invoice: &Invoice, request: &RefundInvoiceRequest) -> Result<Vec<(String, i64)>> {
    let named = |id: &str| request.payment_id.is_empty() || request.payment_id == id;
    if !request.payment_id.is_empty() && !invoice.payments.iter().any(|payment| payment.id == request.payment_id) {
        return Err(Error::not_found("payment", &request.payment_id));
    }
    let left: Vec<(String, i64)> = invoice
        .payments
        .iter()
        .rev()
        .filter(|payment| named(&payment.id))
        .map(|payment| (payment.id.clone(), ledger::left_of(invoice, &payment.id)))
        .collect();
    let most: i64 = left.iter().map(|(_, left)| left).sum();
    if let Some(amount) = &request.amount {
        money::in_currency("invoice", invoice.currency, amount)?;
    }
    let mut wanted = request.amount.map_or(most, |amount| amount.amount);
    if wanted > most || most == 0 {
        let most = ledger::amount(invoice, most);
        return Err(Error::new(ErrorReason::RefundExceedsPayment, format!("at most {} can be refunded", money::text(&most))));
    }
    let mut shares = Vec::new();
    for (id, left) in left {
        let share = left.min(wanted);
        if share > 0 {
            wanted -= share;
            shares.push((id, share));
        }
    }
    Ok(shares)
}

/// Records a refund that was made outside the platform. It gives back what one recorded payment paid.
async fn by_transaction(call: &Call, request: &RefundInvoiceRequest) -> Result<Invoice> {
    let invoice: Invoice = call.get(&request.invoice_id).await?;
    if invoice.transaction_ids.contains(&request.transaction_id) {
        return Ok(invoice);
    }
    let found: Option<Transaction> = call.find(&request.transaction_id).await?;
    let refund = found.filter(|transaction| transaction.owner_id == call.owner());
    let refund = refund.ok_or_else(|| Error::not_found(Transaction::TABLE.noun, &request.transaction_id))?;
    if refund.r#type() != TransactionType::Refund || refund.status() != TransactionStatus::Approved {
        let message = format!("the transaction is a {} that is {}", refund.r#type().spelling(), refund.status().spelling());
        return Err(Error::new(ErrorReason::TransactionNotUsable, message));
    }
    if request.amount.is_some_and(|amount| Some(amount) != refund.amount) {
        return Err(Error::field("amount", "must be the transaction's, or not set"));
    }
    let of = |invoice: &Invoice| {
        invoice
            .payments
            .iter()
            .find(|payment| payment.transaction_id == refund.parent_transaction_id)
            .map(|payment| payment.id.clone())
    };
    let Some(payment_id) = of(&invoice).filter(|id| request.payment_id.is_empty() || request.payment_id == *id) else {
        return Err(Error::new(ErrorReason::TransactionNotUsable, "the transaction gives back no payment of this invoice"));
    };
    let entry = InvoiceRefund {
        id: call.repeatable_id("refund"),
        amount: refund.amount,
        status: TransactionStatus::Approved.into(),
        payment_id,
        transaction_id: refund.id.clone(),
        decline_reason: 0,
        at: Some(call.timestamp()),
    };
    call.change::<Invoice>(&request.invoice_id, |invoice| ledger::add_refund(invoice, entry.clone())).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::InvoicePayment;
    use pavise_kernel::common::v1::Money;

    fn usd(amount: i64) -> Money {
        Money { currency: 1, amount }
    }

    fn paid(amounts: &[(&str, i64)]) -> Invoice {
        let payment = |(id, amount): &(&str, i64)| InvoicePayment {
            id: (*id).to_owned(),
            amount: Some(usd(*amount)),
            status: TransactionStatus::Approved.into(),
            ..InvoicePayment::default()
        };
        Invoice { currency: 1, payments: amounts.iter().map(payment).collect(), ..Invoice::default() }
    }

    #[test]
    fn the_newest_payment_is_given_back_first() {
        let invoice = paid(&[("old", 100), ("new", 30)]);
        let ask = |amount: Option<i64>, payment: &str| RefundInvoiceRequest {
            amount: amount.map(usd),
            payment_id: payment.to_owned(),
            ..Default::default()
        };
        assert_eq!(shares(&invoice, &ask(Some(50), "")).unwrap(), [("new".to_owned(), 30), ("old".to_owned(), 20)]);
        assert_eq!(shares(&invoice, &ask(Some(20), "")).unwrap(), [("new".to_owned(), 20)]);
        assert_eq!(shares(&invoice, &ask(None, "")).unwrap(), [("new".to_owned(), 30), ("old".to_owned(), 100)]);
        assert_eq!(shares(&invoice, &ask(Some(50), "old")).unwrap(), [("old".to_owned(), 50)]);
        assert!(shares(&invoice, &ask(Some(131), "")).unwrap_err().is(ErrorReason::RefundExceedsPayment));
        assert!(shares(&invoice, &ask(Some(31), "new")).unwrap_err().is(ErrorReason::RefundExceedsPayment));
        assert!(shares(&invoice, &ask(None, "gone")).is_err());
    }
}
