//! The rules of every invoice.

use pavise_kernel::aggregate::Invariants;
use pavise_kernel::{Derive, Error, Result};
use prost_types::Timestamp;

use super::support::holds::{day_after_hold, put_off};
use super::support::sums;
use super::support::sums::Sums;
use crate::contract::v1::{Invoice, InvoiceStatus};
use crate::shared::money;

impl Derive for Invoice {
    /// Ends the collecting of an invoice that is settled or DELINQUENT, and the hold of one that is settled. A hold puts the
    /// next try off. One that is DELINQUENT is seen to when its hold is over.
    fn derive(&mut self, _before: Option<&Self>, _at: &Timestamp) -> Result<()> {
        match self.status() {
            InvoiceStatus::Active | InvoiceStatus::Failed | InvoiceStatus::PartiallyFunded => {
                self.due_to_collect_on = put_off(self.due_to_collect_on, day_after_hold(self));
            }
            InvoiceStatus::Delinquent => self.due_to_collect_on = day_after_hold(self),
            InvoiceStatus::Unspecified
            | InvoiceStatus::Paid
            | InvoiceStatus::Forgiven
            | InvoiceStatus::Voided
            | InvoiceStatus::Refunded => {
                self.due_to_collect_on = None;
                self.held_until = None;
                self.held_note.clear();
            }
        }
        Ok(())
    }
}

impl Invariants for Invoice {
    fn check(&self) -> Result<()> {
        let broken = |what: &str| Err(Error::internal(format!("invoice {}: {what}", self.id)));
        let sums = Sums::of(self);
        let written =
            [(&self.total, sums.total), (&self.paid_amount, sums.paid), (&self.refunded_amount, sums.refunded)];
        if written.iter().any(|(money, sum)| money::to_minor_units(money.as_ref()) != *sum) {
            return broken("its sums are not those of its items, payments and refunds");
        }
        let amounts = [self.total, self.paid_amount, self.refunded_amount, self.open_amount].into_iter();
        let amounts =
            amounts.chain(self.items.iter().map(|item| item.amount)).chain(self.payments.iter().map(|one| one.amount));
        if amounts
            .chain(self.refunds.iter().map(|one| one.amount))
            .flatten()
            .any(|money| money.currency != self.currency)
        {
            return broken("it has more than one currency");
        }
        if sums.payable_amount() < 0
            || sums.refundable_amount() < 0
            || sums.total < 0
            || money::to_minor_units(self.open_amount.as_ref()) < 0
        {
            return broken("more is paid than owed, or more given back than paid");
        }
        if self
            .payments
            .iter()
            .any(|payment| sums::is_approved(payment.status()) && sums::refundable_of(self, &payment.id) < 0)
        {
            return broken("more of a payment is given back than was paid");
        }
        // Later refunds do not matter: the total was paid.
        if self.status() == InvoiceStatus::Paid && sums.paid < sums.total {
            return broken("it is PAID, and less was paid than its total");
        }
        let ended = matches!(self.status(), InvoiceStatus::Forgiven | InvoiceStatus::Voided | InvoiceStatus::Refunded);
        if ended && sums::is_in_progress(self) || self.status() == InvoiceStatus::Voided && sums.paid > 0 {
            return broken("it was closed over a payment");
        }
        Ok(())
    }
}
