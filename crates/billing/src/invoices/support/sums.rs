//! The sums of an invoice.

use pavise_kernel::common::v1::Money;
use pavise_kernel::{Error, Result};

use crate::contract::v1::{ErrorReason, Invoice, InvoiceRefund, InvoiceStatus, TransactionStatus};
use crate::shared::money;

/// The sums of an invoice, in minor units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) total: i64,
    pub(crate) paid: i64,
    pub(crate) paying: i64,
    pub(crate) refunded: i64,
    pub(crate) refunding: i64,
    /// Refunds that a bank did not take: the member got credits in their place.
    pub(crate) credited: i64,
}

impl Sums {
    /// Sums up the items, payments and refunds of an invoice.
    pub(crate) fn of(invoice: &Invoice) -> Self {
        let sum = |amounts: &mut dyn Iterator<Item = Option<&Money>>| {
            amounts.fold(0_i64, |sum, amount| sum.saturating_add(money::to_minor_units(amount)))
        };
        let payments = |of: fn(TransactionStatus) -> bool| {
            sum(&mut invoice.payments.iter().filter(|one| of(one.status())).map(|one| one.amount.as_ref()))
        };
        let refunds = |of: fn(TransactionStatus) -> bool| {
            sum(&mut invoice.refunds.iter().filter(|one| of(one.status())).map(|one| one.amount.as_ref()))
        };
        let credited = invoice.refunds.iter().filter(|refund| is_credited(refund));
        Self {
            total: sum(&mut invoice.items.iter().map(|item| item.amount.as_ref())),
            paid: payments(is_approved),
            paying: payments(is_pending),
            refunded: refunds(is_approved),
            refunding: refunds(is_pending),
            credited: sum(&mut credited.map(|refund| refund.amount.as_ref())),
        }
    }

    /// The amount that can still be paid, without payments in progress.
    pub(crate) fn payable_amount(self) -> i64 {
        self.total - self.paid + self.returned_amount() - self.paying
    }

    /// The amount that can still be refunded, without refunds in progress.
    pub(crate) fn refundable_amount(self) -> i64 {
        self.paid - self.returned_amount() - self.refunding
    }

    /// Whether all of the total is paid.
    pub(crate) fn is_covered(self) -> bool {
        self.paid - self.returned_amount() >= self.total
    }

    /// The amount that the members have again: as money, or as credits.
    pub(crate) fn returned_amount(self) -> i64 {
        self.refunded + self.credited
    }
}

/// Whether a payment or a refund was accepted.
pub(crate) fn is_approved(status: TransactionStatus) -> bool {
    status == TransactionStatus::Approved
}

/// Whether the member got a credit in the place of a refund.
pub(crate) fn is_credited(refund: &InvoiceRefund) -> bool {
    !refund.credit_id.is_empty()
}

/// Whether the member has the amount of a refund: as money, or as a credit.
pub(crate) fn is_given_back(refund: &InvoiceRefund) -> bool {
    is_approved(refund.status()) || is_credited(refund)
}

/// Whether a payment or a refund has no outcome yet.
pub(crate) fn is_pending(status: TransactionStatus) -> bool {
    matches!(status, TransactionStatus::Created | TransactionStatus::Timedout)
}

/// Whether a payment or a refund of the invoice has no outcome yet.
pub(crate) fn is_in_progress(invoice: &Invoice) -> bool {
    invoice.payments.iter().any(|payment| is_pending(payment.status()))
        || invoice.refunds.iter().any(|refund| is_pending(refund.status()))
}

/// Refuses while a payment or a refund has no outcome yet.
pub(crate) fn check_at_rest(invoice: &Invoice) -> Result<()> {
    if is_in_progress(invoice) {
        return Err(Error::new(ErrorReason::PaymentInProgress, "a payment or a refund of the invoice is in progress"));
    }
    Ok(())
}

/// An amount in the invoice's currency.
pub(crate) fn amount_on(invoice: &Invoice, minor_units: i64) -> Money {
    Money { currency: invoice.currency, amount: minor_units }
}

/// The amount of a payment that can still be refunded, without refunds in progress and without what gave a credit instead.
pub(crate) fn refundable_of(invoice: &Invoice, payment_id: &str) -> i64 {
    let payment = invoice.payments.iter().find(|payment| payment.id == payment_id && is_approved(payment.status()));
    let back = invoice
        .refunds
        .iter()
        .filter(|refund| refund.payment_id == payment_id && (is_given_back(refund) || is_pending(refund.status())));
    let back = back.fold(0_i64, |sum, refund| sum.saturating_add(money::to_minor_units(refund.amount.as_ref())));
    payment.map_or(0, |payment| money::to_minor_units(payment.amount.as_ref()).saturating_sub(back))
}

/// Writes the sums on the invoice. Refuses a total that is negative or below the paid amount.
pub(crate) fn write_sums(invoice: &mut Invoice) -> Result<()> {
    let sums = Sums::of(invoice);
    let kept = sums.paid - sums.returned_amount() + sums.paying;
    if sums.total < kept.max(0) {
        let (total, kept) = (amount_on(invoice, sums.total), amount_on(invoice, kept));
        let (total, kept) = (money::format_amount(&total), money::format_amount(&kept));
        let message = format!("the total would be {total}, and {kept} was paid or is being paid");
        return Err(Error::new(ErrorReason::InvoiceTotalTooLow, message));
    }
    let open = match invoice.status() {
        InvoiceStatus::Paid | InvoiceStatus::Forgiven | InvoiceStatus::Voided | InvoiceStatus::Refunded => 0,
        InvoiceStatus::Unspecified
        | InvoiceStatus::Active
        | InvoiceStatus::Delinquent
        | InvoiceStatus::Failed
        | InvoiceStatus::PartiallyFunded => sums.total - sums.paid + sums.returned_amount(),
    };
    invoice.total = Some(amount_on(invoice, sums.total));
    invoice.paid_amount = Some(amount_on(invoice, sums.paid));
    invoice.refunded_amount = Some(amount_on(invoice, sums.refunded));
    invoice.open_amount = Some(amount_on(invoice, open));
    Ok(())
}
