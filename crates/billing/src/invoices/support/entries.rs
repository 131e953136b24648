//! The entries of an invoice in the account of its owner.
//!
//! An item raises the balance, or lowers it as a credit. A payment lowers it, a refund raises it, also one that became a
//! credit: the next invoice takes that. A payment whose money went back raises it on the day on which it did. An amount
//! that is no longer owed is a credit: it was forgiven or voided, or it was refunded after the invoice was paid. So the
//! entries of an invoice always come to its open amount. An item that was removed leaves no entry.

use pavise_kernel::time::{Micros, to_micros};
use prost_types::Timestamp;

use super::sums::{Sums, is_approved, is_given_back};
use crate::contract::v1::{Invoice, InvoicePayment, InvoiceStatus, StatementEntryType};
use crate::shared::money;

/// An entry. Its amount is above zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AccountEntry {
    pub(crate) at: Micros,
    pub(crate) kind: StatementEntryType,
    pub(crate) amount: i64,
}

/// A change of an invoice before it is known what it means for the balance.
#[derive(Debug, Clone, Copy)]
enum Change {
    Item(i64),
    Payment(i64),
    Reversal(i64),
    Refund(i64),
}

/// The amount by which an entry changes the balance.
pub(crate) fn signed_amount(kind: StatementEntryType, amount: i64) -> i64 {
    match kind {
        StatementEntryType::Charge | StatementEntryType::Refund | StatementEntryType::Reversal => amount,
        StatementEntryType::Payment | StatementEntryType::Credit => -amount,
        StatementEntryType::Unspecified => 0,
    }
}

/// Lists the entries of an invoice, in the order of their times.
pub(crate) fn list_entries(invoice: &Invoice) -> Vec<AccountEntry> {
    let changes = list_changes(invoice);
    let is_reopening =
        |(at, change): &(Micros, Change)| matches!(change, Change::Reversal(_)) && !is_closed(invoice, *at);
    let reopened = changes.iter().rposition(is_reopening);
    let mut account = InvoiceAccount { left: written_off(invoice), ..InvoiceAccount::default() };
    for (place, (at, change)) in changes.iter().enumerate() {
        match *change {
            Change::Item(amount) => account.add_item(*at, amount),
            Change::Payment(amount) => account.add_payment(*at, amount),
            Change::Reversal(amount) => account.add_reversal(*at, amount, is_closed(invoice, *at)),
            Change::Refund(amount) => account.add_refund(*at, amount, reopened.is_some_and(|last| place < last)),
        }
    }
    let left = account.left;
    if left > 0 {
        let last = changes.last().map(|(at, _)| *at);
        let closed = micros_of(invoice.closed_at.as_ref());
        // Invoices that were closed before `closed_at` was kept are never changed after that.
        let closed = closed.or_else(|| micros_of(invoice.updated_at.as_ref())).or(last);
        let at = if invoice.status() == InvoiceStatus::Refunded { last } else { closed };
        account.add(at.unwrap_or_default(), StatementEntryType::Credit, left);
    }
    account.entries
}

/// Whether the invoice was forgiven by then: nothing of it is owed any more, whatever happens to its payments.
fn is_closed(invoice: &Invoice, at: Micros) -> bool {
    let closed = micros_of(invoice.closed_at.as_ref());
    invoice.status() == InvoiceStatus::Forgiven && closed.is_some_and(|closed| closed <= at)
}

/// The entries so far, and what they come to.
#[derive(Default)]
struct InvoiceAccount {
    entries: Vec<AccountEntry>,
    total: i64,
    /// The payments less what went back.
    kept: i64,
    /// The amount that is still to be written off.
    left: i64,
    /// The refunds that were written off until the payment was reversed.
    given: i64,
    was_paid: bool,
}

impl InvoiceAccount {
    fn add(&mut self, at: Micros, kind: StatementEntryType, amount: i64) {
        if amount > 0 {
            self.entries.push(AccountEntry { at, kind, amount });
        }
    }

    fn add_item(&mut self, at: Micros, amount: i64) {
        self.total = self.total.saturating_add(amount);
        self.add(at, StatementEntryType::Charge, amount);
        self.add(at, StatementEntryType::Credit, amount.saturating_neg());
    }

    fn add_payment(&mut self, at: Micros, amount: i64) {
        self.kept = self.kept.saturating_add(amount);
        self.was_paid |= self.kept >= self.total;
        self.add(at, StatementEntryType::Payment, amount);
    }

    /// The amount is owed again, and so is what was refunded and written off before. On a forgiven invoice nothing is.
    fn add_reversal(&mut self, at: Micros, amount: i64, is_closed: bool) {
        self.kept = self.kept.saturating_sub(amount);
        self.add(at, StatementEntryType::Reversal, amount);
        if is_closed {
            let credit = self.write_off(amount);
            self.add(at, StatementEntryType::Credit, credit);
        } else {
            self.add(at, StatementEntryType::Charge, self.given);
            (self.given, self.was_paid) = (0, false);
        }
    }

    fn add_refund(&mut self, at: Micros, amount: i64, is_reopened_later: bool) {
        self.kept = self.kept.saturating_sub(amount);
        self.add(at, StatementEntryType::Refund, amount);
        if !self.was_paid {
            return;
        }
        let credit = if is_reopened_later { amount } else { self.write_off(amount) };
        if is_reopened_later {
            self.given = self.given.saturating_add(credit);
        }
        self.add(at, StatementEntryType::Credit, credit);
    }

    fn write_off(&mut self, amount: i64) -> i64 {
        let credit = amount.min(self.left);
        self.left = self.left.saturating_sub(credit);
        credit
    }
}

/// The part of the total that is neither paid nor open.
fn written_off(invoice: &Invoice) -> i64 {
    let sums = Sums::of(invoice);
    let open = money::to_minor_units(invoice.open_amount.as_ref());
    sums.total.saturating_sub(sums.paid).saturating_add(sums.returned_amount()).saturating_sub(open).max(0)
}

fn list_changes(invoice: &Invoice) -> Vec<(Micros, Change)> {
    let raised = micros_of(invoice.created_at.as_ref()).unwrap_or_default();
    let items = invoice.items.iter().map(|item| {
        let added = item.history.first().and_then(|event| micros_of(event.at.as_ref()));
        (added.unwrap_or(raised), Change::Item(money::to_minor_units(item.amount.as_ref())))
    });
    let was_paid = |payment: &&InvoicePayment| is_approved(payment.status()) || payment.reversed_at.is_some();
    let payments = invoice.payments.iter().filter(was_paid).map(|payment| {
        let amount = money::to_minor_units(payment.amount.as_ref());
        (micros_of(payment.at.as_ref()).unwrap_or(raised), Change::Payment(amount))
    });
    let reversals = invoice.payments.iter().filter_map(|payment| {
        let at = micros_of(payment.reversed_at.as_ref())?;
        Some((at, Change::Reversal(money::to_minor_units(payment.amount.as_ref()))))
    });
    let refunds = invoice.refunds.iter().filter(|refund| is_given_back(refund)).map(|refund| {
        let amount = money::to_minor_units(refund.amount.as_ref());
        (micros_of(refund.at.as_ref()).unwrap_or(raised), Change::Refund(amount))
    });
    let mut changes: Vec<(Micros, Change)> = items.chain(payments).chain(reversals).chain(refunds).collect();
    changes.sort_by_key(|(at, _)| *at);
    changes
}

fn micros_of(at: Option<&Timestamp>) -> Option<Micros> {
    at.map(to_micros)
}
