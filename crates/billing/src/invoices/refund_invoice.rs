//! Refunds the payments of an invoice to where they came from.

use pavise_kernel::{Call, Error, Result};

use super::support::charge::{declined_error, pending_error};
use super::support::finish::finish_refund;
use super::support::paid_period::{find_paid_period, use_up_credits};
use super::support::payments::add_refund;
use super::support::recorded_transaction::{load_transaction, not_usable_error};
use super::support::sums::{amount_on, check_at_rest, refundable_of};
use crate::contract::actions::invoice as actions;
use crate::contract::v1::{
    ErrorReason, Invoice, InvoiceRefund, RefundInvoiceRequest, TransactionStatus, TransactionType,
};
use crate::shared::money;
use crate::shared::retry::retry_contention;

/// Refunds through the vendor, or records a refund that was made outside.
pub(crate) async fn refund_invoice(call: &Call, request: RefundInvoiceRequest) -> Result<Invoice> {
    if let Some(amount) = request.amount {
        money::check_positive("amount", Some(amount))?;
    }
    if !request.transaction_id.is_empty() {
        return refund_by_transaction(call, &request).await;
    }
    // A repeat of the call finds the refunds that it began.
    let attempt = call.repeatable_id("refund");
    let mut invoice: Invoice = call.get(&request.invoice_id).await?;
    if refunds_of_attempt(&invoice, &attempt).is_empty() {
        invoice = reserve_refunds(call, &request, &attempt).await?;
        if call.validate_only() {
            return Ok(invoice);
        }
    }
    let ids = refunds_of_attempt(&invoice, &attempt);
    finish_refunds(call, invoice, &ids).await
}

/// The ids of the refunds that an attempt began, one for each payment that it refunds.
fn refunds_of_attempt(invoice: &Invoice, attempt: &str) -> Vec<String> {
    invoice.refunds.iter().map(|refund| refund.id.clone()).filter(|id| id.starts_with(attempt)).collect()
}

/// Finishes each refund that was begun, and answers the invoice or the refusal.
async fn finish_refunds(call: &Call, mut invoice: Invoice, begun: &[String]) -> Result<Invoice> {
    let (mut refusal, mut pending) = (None, false);
    for id in begun {
        match finish_refund(call, &invoice, id).await {
            Ok(finished) => {
                invoice = finished.invoice;
                refusal = refusal.or(finished.refusal);
            }
            Err(error) if error.is_transient() => pending = true,
            Err(error) => return Err(error),
        }
    }
    if pending {
        return Err(pending_error());
    }
    let mine = |status: TransactionStatus| {
        invoice.refunds.iter().find(|refund| begun.contains(&refund.id) && refund.status() == status)
    };
    if mine(TransactionStatus::Approved).is_some() {
        return Ok(invoice);
    }
    let refused = mine(TransactionStatus::Declined).or_else(|| mine(TransactionStatus::HardDeclined));
    Err(refusal.unwrap_or_else(|| {
        refused.map_or_else(
            || Error::internal("a refund that was begun is not on its invoice"),
            |refund| declined_error(refund.decline_reason().spelling(), &refund.transaction_id),
        )
    }))
}

/// Adds the refunds as CREATED, which reserves their amounts before the vendor is asked.
async fn reserve_refunds(call: &Call, request: &RefundInvoiceRequest, attempt: &str) -> Result<Invoice> {
    retry_contention(call, || async {
        let before: Invoice = call.get(&request.invoice_id).await?;
        if !refunds_of_attempt(&before, attempt).is_empty() {
            // The same call runs twice at once, and the other run was faster.
            return Ok(before);
        }
        call.check_transition(&before)?;
        check_at_rest(&before)?;
        let period = find_paid_period(call, &before).await?;
        let most = period.map_or(i64::MAX, |period| period.refundable_amount());
        let mut after = before.clone();
        for (at, (payment_id, amount)) in split_refund(&before, request, most)?.into_iter().enumerate() {
            let refund = InvoiceRefund {
                id: format!("{attempt}-{at}"),
                amount: Some(amount_on(&before, amount)),
                status: TransactionStatus::Created.into(),
                payment_id,
                at: Some(call.timestamp()),
                ..InvoiceRefund::default()
            };
            add_refund(&mut after, refund)?;
        }
        let mut unit = call.unit();
        let after = unit.update_as(&before, after, actions::PAYMENT_UPDATED)?;
        unit.commit().await?;
        Ok(after)
    })
    .await
}

/// Splits the refund into a share of each payment: of the one that is named, or of all, the newest first. No more than `most`
/// goes back: the member spent the rest as a credit.
fn split_refund(invoice: &Invoice, request: &RefundInvoiceRequest, most: i64) -> Result<Vec<(String, i64)>> {
    let named = |id: &str| request.payment_id.is_empty() || request.payment_id == id;
    if !request.payment_id.is_empty() && !invoice.payments.iter().any(|payment| payment.id == request.payment_id) {
        return Err(Error::not_found("payment", &request.payment_id));
    }
    let left: Vec<(String, i64)> = invoice
        .payments
        .iter()
        .rev()
        .filter(|payment| named(&payment.id))
        .map(|payment| (payment.id.clone(), refundable_of(invoice, &payment.id)))
        .collect();
    let paid: i64 = left.iter().map(|(_, left)| left).sum();
    let why = if most < paid { ": the member spent the rest as a credit for unused days" } else { "" };
    let most = paid.min(most);
    if let Some(amount) = &request.amount {
        money::check_currency("invoice", invoice.currency, amount)?;
    }
    let mut wanted = request.amount.map_or(most, |amount| amount.amount);
    if wanted > most || most == 0 {
        let most = amount_on(invoice, most);
        return Err(Error::new(
            ErrorReason::RefundExceedsPayment,
            format!("at most {} can be refunded{why}", money::format_amount(&most)),
        ));
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

/// Records a refund that was made outside the platform. It gives back one recorded payment.
async fn refund_by_transaction(call: &Call, request: &RefundInvoiceRequest) -> Result<Invoice> {
    let invoice: Invoice = call.get(&request.invoice_id).await?;
    if invoice.transaction_ids.contains(&request.transaction_id) {
        return Ok(invoice);
    }
    let refund = load_transaction(call, &request.transaction_id).await?;
    if refund.r#type() != TransactionType::Refund || refund.status() != TransactionStatus::Approved {
        return Err(not_usable_error(&refund));
    }
    if request.amount.is_some_and(|amount| Some(amount) != refund.amount) {
        return Err(Error::field("amount", "must be the transaction's, or not set"));
    }
    let payment = invoice.payments.iter().find(|payment| payment.transaction_id == refund.parent_transaction_id);
    let payment = payment.filter(|payment| request.payment_id.is_empty() || request.payment_id == payment.id);
    let Some(payment_id) = payment.map(|payment| payment.id.clone()) else {
        return Err(Error::new(
            ErrorReason::TransactionNotUsable,
            "the transaction gives back no payment of this invoice",
        ));
    };
    let entry = InvoiceRefund {
        id: call.repeatable_id("refund"),
        amount: refund.amount,
        status: TransactionStatus::Approved.into(),
        payment_id,
        transaction_id: refund.id.clone(),
        at: Some(call.timestamp()),
        ..InvoiceRefund::default()
    };
    retry_contention(call, || async {
        let before: Invoice = call.get(&request.invoice_id).await?;
        if before.transaction_ids.contains(&request.transaction_id) {
            return Ok(before);
        }
        call.check_transition(&before)?;
        let mut after = before.clone();
        add_refund(&mut after, entry.clone())?;
        let action = if after.status == before.status { actions::PAYMENT_UPDATED } else { actions::STATUS_CHANGED };
        let mut unit = call.unit();
        use_up_credits(call, &mut unit, &after).await?;
        let after = unit.update_as(&before, after, action)?;
        unit.commit_answer(after).await
    })
    .await
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
    fn the_newest_payment_is_refunded_first() {
        let invoice = paid(&[("old", 100), ("new", 30)]);
        let ask = |amount: Option<i64>, payment: &str| RefundInvoiceRequest {
            amount: amount.map(usd),
            payment_id: payment.to_owned(),
            ..Default::default()
        };
        let split = |request: &RefundInvoiceRequest| split_refund(&invoice, request, i64::MAX);
        assert_eq!(split(&ask(Some(50), "")).unwrap(), [("new".to_owned(), 30), ("old".to_owned(), 20)]);
        assert_eq!(split(&ask(Some(20), "")).unwrap(), [("new".to_owned(), 20)]);
        assert_eq!(split(&ask(None, "")).unwrap(), [("new".to_owned(), 30), ("old".to_owned(), 100)]);
        assert_eq!(split(&ask(Some(50), "old")).unwrap(), [("old".to_owned(), 50)]);
        assert!(split(&ask(Some(131), "")).unwrap_err().is(ErrorReason::RefundExceedsPayment));
        assert!(split(&ask(Some(31), "new")).unwrap_err().is(ErrorReason::RefundExceedsPayment));
        assert!(split(&ask(None, "gone")).is_err());
        assert_eq!(
            split_refund(&invoice, &ask(None, ""), 50).unwrap(),
            [("new".to_owned(), 30), ("old".to_owned(), 20)],
            "the rest was spent as a credit"
        );
        assert!(split_refund(&invoice, &ask(Some(51), ""), 50).unwrap_err().is(ErrorReason::RefundExceedsPayment));
    }
}
