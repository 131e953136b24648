//! Amounts that go back to a member who does not ask for a refund of a payment, but for an amount: refunds to where the money came
//! from, and a credit for what cannot go back there.

use std::collections::BTreeMap;

use pavise_kernel::common::v1::Money;
use pavise_kernel::{Call, Result};

use super::payments::add_refund;
use super::sums::{amount_on, refundable_of};
use crate::contract::v1::{
    Credit, CreditReason, CreditStatus, Invoice, InvoiceRefund, PaymentMethod, TransactionStatus,
};

/// Begins refunds of an amount at most, of the newest payments first. Answers the rest, which no payment covers. The commit of
/// the invoice reserves them, and `billing.finish_payments` asks the vendor. One that is refused gives a credit.
///
/// # Errors
/// `PAYMENT_IN_PROGRESS`.
pub(crate) fn begin_refunds(call: &Call, invoice: &mut Invoice, wanted: i64) -> Result<i64> {
    let mut rest = wanted;
    let payments: Vec<String> = invoice.payments.iter().rev().map(|payment| payment.id.clone()).collect();
    for payment_id in payments {
        let share = refundable_of(invoice, &payment_id).min(rest);
        if share < 1 {
            continue;
        }
        let refund = InvoiceRefund {
            id: call.new_id(),
            amount: Some(amount_on(invoice, share)),
            status: TransactionStatus::Created.into(),
            payment_id,
            at: Some(call.timestamp()),
            else_credit: true,
            ..InvoiceRefund::default()
        };
        add_refund(invoice, refund)?;
        rest -= share;
    }
    Ok(rest)
}

/// The groups that paid what refused refunds of an invoice are to give a credit for, by the id of the payment.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn find_groups_to_credit(call: &Call, invoice: &Invoice) -> Result<BTreeMap<String, String>> {
    let mut groups = BTreeMap::new();
    for refund in invoice.refunds.iter().filter(|refund| is_to_credit(refund)) {
        let payment = invoice.payments.iter().find(|payment| payment.id == refund.payment_id);
        let Some(id) = payment.map(|payment| payment.payment_method_id.as_str()).filter(|id| !id.is_empty()) else {
            continue;
        };
        let method: Option<PaymentMethod> = call.find_unscoped(id).await?;
        if let Some(method) = method.filter(|method| !method.group_id.is_empty()) {
            groups.insert(refund.payment_id.clone(), method.group_id);
        }
    }
    Ok(groups)
}

/// The credits for refunds that were refused and are to give one. Each is recorded on its refund, so that it is given once.
/// `groups` are the groups that paid, by the id of the payment.
pub(crate) fn credit_refused(
    invoice: &mut Invoice,
    groups: &BTreeMap<String, String>,
    new_id: impl Fn() -> String,
) -> Vec<Credit> {
    let (owner, from) = (invoice.owner_id.clone(), invoice.id.clone());
    let mut credits = Vec::new();
    for refund in invoice.refunds.iter_mut().filter(|refund| is_to_credit(refund)) {
        let Some(amount) = refund.amount else { continue };
        let group_id = groups.get(&refund.payment_id).cloned().unwrap_or_default();
        let credit = Credit { group_id, ..build_credit(new_id(), &owner, &from, amount) };
        refund.credit_id.clone_from(&credit.id);
        credits.push(credit);
    }
    credits
}

/// Whether a refund was refused and has given no credit yet in its place.
fn is_to_credit(refund: &InvoiceRefund) -> bool {
    let refused = [TransactionStatus::Declined, TransactionStatus::HardDeclined].contains(&refund.status());
    refund.else_credit && refund.credit_id.is_empty() && refused
}

/// A credit for money that cannot go back to where it came from. It is the member's own, until the caller says which group
/// paid.
pub(crate) fn build_credit(id: String, owner_id: &str, invoice_id: &str, amount: Money) -> Credit {
    Credit {
        id,
        owner_id: owner_id.to_owned(),
        status: CreditStatus::Open.into(),
        amount: Some(amount),
        left: Some(amount),
        reason: CreditReason::Refund.into(),
        invoice_id: invoice_id.to_owned(),
        ..Credit::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::InvoicePayment;

    #[test]
    fn a_refused_refund_gives_one_credit_and_is_not_refunded_again() {
        let usd = |amount| Some(Money { currency: 1, amount });
        let payment = InvoicePayment {
            id: "payment".to_owned(),
            amount: usd(2995),
            status: TransactionStatus::Approved.into(),
            ..InvoicePayment::default()
        };
        let refund = |status: TransactionStatus, else_credit: bool| InvoiceRefund {
            amount: usd(1997),
            status: status.into(),
            payment_id: "payment".to_owned(),
            else_credit,
            ..InvoiceRefund::default()
        };
        let gives = |status: TransactionStatus, else_credit: bool| {
            let mut invoice = Invoice {
                id: "invoice".to_owned(),
                owner_id: "alice".to_owned(),
                currency: 1,
                payments: vec![payment.clone()],
                refunds: vec![refund(status, else_credit)],
                ..Invoice::default()
            };
            let groups = BTreeMap::from([("payment".to_owned(), "acme".to_owned())]);
            let first = credit_refused(&mut invoice, &groups, || "credit".to_owned());
            assert!(credit_refused(&mut invoice, &groups, || "again".to_owned()).is_empty());
            (first, refundable_of(&invoice, "payment"))
        };
        for refused in [TransactionStatus::Declined, TransactionStatus::HardDeclined] {
            let (credits, left) = gives(refused, true);
            let [credit] = credits.try_into().unwrap();
            assert_eq!((credit.left, credit.reason(), left), (usd(1997), CreditReason::Refund, 998));
            assert_eq!((credit.owner_id.as_str(), credit.invoice_id.as_str()), ("alice", "invoice"));
            assert_eq!(credit.group_id, "acme", "it paid");
            assert_eq!(gives(refused, false), (Vec::new(), 2995), "the caller asked for a refund and nothing else");
        }
        for other in [TransactionStatus::Created, TransactionStatus::Timedout, TransactionStatus::Approved] {
            assert_eq!(gives(other, true), (Vec::new(), 998));
        }
    }
}
