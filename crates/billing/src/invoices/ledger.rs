//! The sums of an invoice. Everything here is pure: an invoice goes in, and comes out with its sums right or not at all.
//!
//! What always holds (and is checked on every write): the total is the sum of the items; what was paid, less what was
//! given back, with the payments in progress, is not more than the total; what was given back, with the refunds in
//! progress, is not more than what was paid; on a PAID invoice the total was paid; nothing is negative; there is one
//! currency.

use pavise_kernel::aggregate::Invariants;
use pavise_kernel::common::v1::Money;
use pavise_kernel::{Common, Error, Result};

use crate::contract::v1::{
    DeclineReason, ErrorReason, Invoice, InvoiceItem, InvoicePayment, InvoiceRefund, InvoiceStatus, ItemType, TransactionStatus,
};
use crate::money;

/// The most items of an invoice.
pub(super) const MOST_ITEMS: usize = 200;

/// What became of a payment or a refund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) status: TransactionStatus,
    pub(super) transaction_id: String,
    pub(super) reason: DeclineReason,
}

impl Outcome {
    /// It was accepted as that transaction.
    pub(super) fn approved(transaction_id: &str) -> Self {
        Self {
            status: TransactionStatus::Approved,
            transaction_id: transaction_id.to_owned(),
            reason: DeclineReason::Unspecified,
        }
    }

    /// It was refused before there was a transaction.
    pub(super) fn refused() -> Self {
        Self { status: TransactionStatus::Declined, transaction_id: String::new(), reason: DeclineReason::NotSubmitted }
    }
}

/// The sums of an invoice, in minor units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub(super) total: i64,
    pub(super) paid: i64,
    pub(super) paying: i64,
    pub(super) refunded: i64,
    pub(super) refunding: i64,
}

impl Sums {
    /// What the items, payments and refunds of an invoice sum up to.
    pub(super) fn of(invoice: &Invoice) -> Self {
        let sum = |amounts: &mut dyn Iterator<Item = Option<&Money>>| {
            amounts.fold(0_i64, |sum, amount| sum.saturating_add(money::minor(amount)))
        };
        let payments = |of: fn(TransactionStatus) -> bool| {
            sum(&mut invoice.payments.iter().filter(|one| of(one.status())).map(|one| one.amount.as_ref()))
        };
        let refunds = |of: fn(TransactionStatus) -> bool| {
            sum(&mut invoice.refunds.iter().filter(|one| of(one.status())).map(|one| one.amount.as_ref()))
        };
        Self {
            total: sum(&mut invoice.items.iter().map(|item| item.amount.as_ref())),
            paid: payments(approved),
            paying: payments(pending),
            refunded: refunds(approved),
            refunding: refunds(pending),
        }
    }

    /// What can still be paid, payments in progress left out.
    pub(super) fn payable(self) -> i64 {
        self.total - self.paid + self.refunded - self.paying
    }

    /// What can still be given back, refunds in progress left out.
    pub(super) fn refundable(self) -> i64 {
        self.paid - self.refunded - self.refunding
    }

    /// Whether nothing is left to be paid.
    fn covered(self) -> bool {
        self.paid - self.refunded >= self.total
    }
}

fn approved(status: TransactionStatus) -> bool {
    status == TransactionStatus::Approved
}

/// Whether a payment or a refund has no outcome yet.
pub(super) fn pending(status: TransactionStatus) -> bool {
    matches!(status, TransactionStatus::Created | TransactionStatus::Timedout)
}

/// Whether a payment or a refund of the invoice has no outcome yet.
pub(crate) fn in_progress(invoice: &Invoice) -> bool {
    invoice.payments.iter().any(|payment| pending(payment.status()))
        || invoice.refunds.iter().any(|refund| pending(refund.status()))
}

/// Refuses while a payment or a refund has no outcome yet.
pub(super) fn at_rest(invoice: &Invoice) -> Result<()> {
    if in_progress(invoice) {
        return Err(Error::new(ErrorReason::PaymentInProgress, "a payment or a refund of the invoice is in progress"));
    }
    Ok(())
}

/// So many minor units in the invoice's currency.
pub(super) fn amount(invoice: &Invoice, minor: i64) -> Money {
    Money { currency: invoice.currency, amount: minor }
}

/// Adds an item, and refuses one that does not fit.
pub(super) fn add_item(invoice: &mut Invoice, field: &str, item: InvoiceItem) -> Result<()> {
    let Some(value) = item.amount else { return Err(Error::field(format!("{field}.amount"), "is required")) };
    money::in_currency("invoice", invoice.currency, &value)?;
    let fits = match item.r#type() {
        ItemType::Discount => value.amount <= 0,
        ItemType::Transaction => true,
        ItemType::Subscription | ItemType::Order | ItemType::Tax => value.amount >= 0,
        ItemType::Unspecified => return Err(Error::field(format!("{field}.type"), "is required")),
    };
    if !fits {
        let side = if item.r#type() == ItemType::Discount { "zero or less" } else { "zero or more" };
        return Err(Error::field(format!("{field}.amount.amount"), format!("must be {side} for {}", item.r#type().spelling())));
    }
    if invoice.items.len() >= MOST_ITEMS {
        return Err(Error::field(field, format!("an invoice has at most {MOST_ITEMS} items")));
    }
    invoice.items.push(item);
    sum_up(invoice)
}

/// Whether an item lowers the total.
pub(super) fn lowers(item: &InvoiceItem) -> bool {
    money::minor(item.amount.as_ref()) < 0
}

/// Takes an item off.
pub(super) fn remove_item(invoice: &mut Invoice, id: &str) -> Result<()> {
    let before = invoice.items.len();
    invoice.items.retain(|item| item.id != id);
    if invoice.items.len() == before {
        return Err(Error::not_found("invoice item", id));
    }
    sum_up(invoice)
}

/// Keeps the amount of a new payment free on the invoice; or counts it at once, when it is approved already.
pub(super) fn add_payment(invoice: &mut Invoice, payment: InvoicePayment) -> Result<()> {
    let sums = Sums::of(invoice);
    let wanted = money::minor(payment.amount.as_ref());
    if sums.refunding > 0 {
        return at_rest(invoice);
    }
    if wanted < 1 || wanted > sums.payable() {
        let most = amount(invoice, sums.payable().max(0));
        let error = Error::new(ErrorReason::PaymentExceedsOpenAmount, format!("at most {} is open", money::text(&most)));
        return Err(error.with("open", most.amount.to_string()));
    }
    let outcome = approved(payment.status()).then(|| Outcome::approved(&payment.transaction_id));
    let id = payment.id.clone();
    invoice.payments.push(InvoicePayment { status: TransactionStatus::Created.into(), ..payment });
    sum_up(invoice)?;
    match outcome {
        Some(outcome) => end_payment(invoice, &id, &outcome),
        None => Ok(()),
    }
}

/// Keeps the amount of a new refund free on the payment that it gives back; or counts it, when it is approved already.
pub(super) fn add_refund(invoice: &mut Invoice, refund: InvoiceRefund) -> Result<()> {
    if Sums::of(invoice).paying > 0 {
        return at_rest(invoice);
    }
    let wanted = money::minor(refund.amount.as_ref());
    let most = left_of(invoice, &refund.payment_id);
    if wanted < 1 || wanted > most {
        let most = amount(invoice, most);
        let error = Error::new(ErrorReason::RefundExceedsPayment, format!("at most {} can be refunded", money::text(&most)));
        return Err(error.with("left", most.amount.to_string()));
    }
    let outcome = approved(refund.status()).then(|| Outcome::approved(&refund.transaction_id));
    let id = refund.id.clone();
    invoice.refunds.push(InvoiceRefund { status: TransactionStatus::Created.into(), ..refund });
    sum_up(invoice)?;
    match outcome {
        Some(outcome) => end_refund(invoice, &id, &outcome),
        None => Ok(()),
    }
}

/// How much of a payment can still be given back, refunds in progress left out.
pub(super) fn left_of(invoice: &Invoice, payment_id: &str) -> i64 {
    let payment = invoice.payments.iter().find(|payment| payment.id == payment_id && approved(payment.status()));
    let back = invoice
        .refunds
        .iter()
        .filter(|refund| refund.payment_id == payment_id && (approved(refund.status()) || pending(refund.status())));
    let back = back.fold(0_i64, |sum, refund| sum.saturating_add(money::minor(refund.amount.as_ref())));
    payment.map_or(0, |payment| money::minor(payment.amount.as_ref()).saturating_sub(back))
}

/// Records what became of a payment. One that has its outcome keeps it.
pub(super) fn end_payment(invoice: &mut Invoice, id: &str, outcome: &Outcome) -> Result<()> {
    let Some(payment) = invoice.payments.iter_mut().find(|payment| payment.id == id && pending(payment.status())) else {
        return Ok(());
    };
    payment.status = outcome.status.into();
    payment.transaction_id.clone_from(&outcome.transaction_id);
    payment.decline_reason = outcome.reason.into();
    if approved(outcome.status) {
        invoice.transaction_ids.push(outcome.transaction_id.clone());
        let covered = Sums::of(invoice).covered();
        invoice.status = if covered { InvoiceStatus::Paid } else { InvoiceStatus::PartiallyFunded }.into();
    }
    sum_up(invoice)
}

/// Records what became of a refund. One that has its outcome keeps it.
pub(super) fn end_refund(invoice: &mut Invoice, id: &str, outcome: &Outcome) -> Result<()> {
    let Some(refund) = invoice.refunds.iter_mut().find(|refund| refund.id == id && pending(refund.status())) else {
        return Ok(());
    };
    refund.status = outcome.status.into();
    refund.transaction_id.clone_from(&outcome.transaction_id);
    refund.decline_reason = outcome.reason.into();
    if approved(outcome.status) {
        invoice.transaction_ids.push(outcome.transaction_id.clone());
        let sums = Sums::of(invoice);
        if sums.refunded == sums.paid {
            invoice.status = InvoiceStatus::Refunded.into();
        }
    }
    sum_up(invoice)
}

/// Counts an invoice on which nothing is open as paid: one of zero, or one that became covered by taking an item off.
/// Refuses one that was changed since it was looked at, so that something is open or in progress by now.
pub(super) fn pay_nothing(invoice: &mut Invoice) -> Result<()> {
    if Sums::of(invoice).payable() != 0 || in_progress(invoice) {
        return Err(Error::new(Common::Contention, "the invoice was changed by others and has something open; try again"));
    }
    invoice.status = InvoiceStatus::Paid.into();
    sum_up(invoice)
}

/// Lets go what is open. What was paid stays paid.
pub(super) fn let_go(invoice: &mut Invoice, reason: &str) -> Result<()> {
    at_rest(invoice)?;
    invoice.status = InvoiceStatus::Forgiven.into();
    reason.clone_into(&mut invoice.forgiven_reason);
    sum_up(invoice)
}

/// Takes back an invoice on which nothing was paid.
pub(super) fn take_back(invoice: &mut Invoice) -> Result<()> {
    at_rest(invoice)?;
    let paid = Sums::of(invoice).paid;
    if paid > 0 {
        let paid = money::text(&amount(invoice, paid));
        return Err(Error::new(ErrorReason::InvoiceHasPayments, format!("{paid} was paid on the invoice: refund it")));
    }
    invoice.status = InvoiceStatus::Voided.into();
    sum_up(invoice)
}

/// Writes the sums down, and refuses a total that is below zero or below what was paid.
pub(super) fn sum_up(invoice: &mut Invoice) -> Result<()> {
    let sums = Sums::of(invoice);
    let kept = sums.paid - sums.refunded + sums.paying;
    if sums.total < kept.max(0) {
        let (total, kept) = (amount(invoice, sums.total), amount(invoice, kept));
        let message = format!("the total would be {}, and {} was paid or is being paid", money::text(&total), money::text(&kept));
        return Err(Error::new(ErrorReason::InvoiceTotalTooLow, message));
    }
    let open = match invoice.status() {
        InvoiceStatus::Paid | InvoiceStatus::Forgiven | InvoiceStatus::Voided | InvoiceStatus::Refunded => 0,
        InvoiceStatus::Unspecified
        | InvoiceStatus::Active
        | InvoiceStatus::Delinquent
        | InvoiceStatus::Failed
        | InvoiceStatus::PartiallyFunded => sums.total - sums.paid + sums.refunded,
    };
    invoice.total = Some(amount(invoice, sums.total));
    invoice.paid_amount = Some(amount(invoice, sums.paid));
    invoice.refunded_amount = Some(amount(invoice, sums.refunded));
    invoice.open_amount = Some(amount(invoice, open));
    Ok(())
}

impl Invariants for Invoice {
    fn check(&self) -> Result<()> {
        let broken = |what: &str| Err(Error::internal(format!("invoice {}: {what}", self.id)));
        let sums = Sums::of(self);
        let written = [(&self.total, sums.total), (&self.paid_amount, sums.paid), (&self.refunded_amount, sums.refunded)];
        if written.iter().any(|(money, sum)| money::minor(money.as_ref()) != *sum) {
            return broken("its sums are not those of its items, payments and refunds");
        }
        let amounts = [self.total, self.paid_amount, self.refunded_amount, self.open_amount].into_iter();
        let amounts = amounts.chain(self.items.iter().map(|item| item.amount)).chain(self.payments.iter().map(|one| one.amount));
        if amounts.chain(self.refunds.iter().map(|one| one.amount)).flatten().any(|money| money.currency != self.currency) {
            return broken("it has more than one currency");
        }
        if sums.payable() < 0 || sums.refundable() < 0 || sums.total < 0 || money::minor(self.open_amount.as_ref()) < 0 {
            return broken("more is paid than owed, or more given back than paid");
        }
        if self.payments.iter().any(|payment| approved(payment.status()) && left_of(self, &payment.id) < 0) {
            return broken("more of a payment is given back than was paid");
        }
        // What was given back since does not matter: it was paid all the same.
        if self.status() == InvoiceStatus::Paid && sums.paid < sums.total {
            return broken("it is PAID, and less was paid than its total");
        }
        let ended = matches!(self.status(), InvoiceStatus::Forgiven | InvoiceStatus::Voided | InvoiceStatus::Refunded);
        if ended && in_progress(self) || self.status() == InvoiceStatus::Voided && sums.paid > 0 {
            return broken("it was closed over a payment");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
