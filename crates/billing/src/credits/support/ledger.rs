//! The ledger of a credit: what was taken from it. The functions are pure, and leave status and rest right.

use pavise_kernel::common::v1::{Date, Money};
use pavise_kernel::time::to_days;
use prost_types::Timestamp;

use crate::contract::v1::{Credit, CreditStatus, CreditUse};
use crate::shared::money;

/// An amount in the credit's currency.
pub(crate) fn amount_of(credit: &Credit, minor_units: i64) -> Money {
    let currency = credit.amount.map_or(0, |amount| amount.currency);
    Money { currency, amount: minor_units }
}

/// The rest of a credit, in minor units.
pub(crate) fn left_of(credit: &Credit) -> i64 {
    money::to_minor_units(credit.left.as_ref())
}

/// Whether the last day of a credit is over.
pub(crate) fn is_over(credit: &Credit, today: Date) -> bool {
    credit.last_day.is_some_and(|last| to_days(last) < to_days(today))
}

/// Takes an amount for an invoice. The credit is USED when nothing is left.
pub(crate) fn take_amount(credit: &mut Credit, amount: i64, invoice_id: &str, at: Timestamp) {
    let taken = CreditUse {
        amount: Some(amount_of(credit, amount)),
        invoice_id: invoice_id.to_owned(),
        at: Some(at),
        ..CreditUse::default()
    };
    lower(credit, amount, taken, CreditStatus::Used);
}

/// Takes an amount that was paid out. The credit is PAID_OUT when nothing is left.
pub(crate) fn pay_out(credit: &mut Credit, amount: i64, reference: &str, at: Timestamp) {
    let paid = CreditUse {
        amount: Some(amount_of(credit, amount)),
        reference: reference.to_owned(),
        at: Some(at),
        ..CreditUse::default()
    };
    lower(credit, amount, paid, CreditStatus::PaidOut);
}

/// Gives back what an invoice took. The credit is OPEN again; where its last day is over, it ends anew.
pub(crate) fn give_back(credit: &mut Credit, invoice_id: &str) {
    let is_of_invoice = |one: &CreditUse| one.invoice_id == invoice_id;
    let uses = credit.uses.iter().filter(|one| is_of_invoice(one));
    let back = uses.fold(0_i64, |sum, one| sum.saturating_add(money::to_minor_units(one.amount.as_ref())));
    if back < 1 {
        return;
    }
    credit.uses.retain(|one| !is_of_invoice(one));
    credit.left = Some(amount_of(credit, left_of(credit).saturating_add(back)));
    credit.set_status(CreditStatus::Open);
}

fn lower(credit: &mut Credit, amount: i64, taken: CreditUse, when_empty: CreditStatus) {
    let left = left_of(credit).saturating_sub(amount);
    credit.uses.push(taken);
    credit.left = Some(amount_of(credit, left));
    if left == 0 {
        credit.set_status(when_empty);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usd(amount: i64) -> Option<Money> {
        Some(Money { currency: 1, amount })
    }

    fn credit(amount: i64) -> Credit {
        Credit { status: CreditStatus::Open.into(), amount: usd(amount), left: usd(amount), ..Credit::default() }
    }

    #[test]
    fn what_an_invoice_took_goes_back_once() {
        let mut one = credit(500);
        take_amount(&mut one, 200, "first", Timestamp::default());
        take_amount(&mut one, 300, "second", Timestamp::default());
        assert_eq!((one.status(), left_of(&one), one.uses.len()), (CreditStatus::Used, 0, 2));
        for _ in 0..2 {
            give_back(&mut one, "first");
            assert_eq!((one.status(), left_of(&one), one.uses.len()), (CreditStatus::Open, 200, 1));
        }
    }

    #[test]
    fn a_part_can_be_paid_out_and_then_the_rest() {
        let mut one = credit(500);
        pay_out(&mut one, 100, "cheque 7", Timestamp::default());
        assert_eq!((one.status(), one.left), (CreditStatus::Open, usd(400)));
        pay_out(&mut one, 400, "cheque 8", Timestamp::default());
        assert_eq!((one.status(), one.left), (CreditStatus::PaidOut, usd(0)));
        assert_eq!(one.uses[1].reference, "cheque 8");
    }
}
