//! The rules of every credit.

use pavise_kernel::aggregate::Invariants;
use pavise_kernel::time::add_days;
use pavise_kernel::{Derive, Error, Result};
use prost_types::Timestamp;

use super::support::ledger::left_of;
use crate::contract::v1::{Credit, CreditStatus};
use crate::shared::money;

impl Derive for Credit {
    /// Sets the day on which an OPEN credit ends.
    fn derive(&mut self, _before: Option<&Self>, _at: &Timestamp) -> Result<()> {
        let is_open = self.status() == CreditStatus::Open;
        self.due_to_expire_on = self.last_day.filter(|_| is_open).map(|last| add_days(last, 1));
        Ok(())
    }
}

impl Invariants for Credit {
    fn check(&self) -> Result<()> {
        let broken = |what: &str| Err(Error::internal(format!("credit {}: {what}", self.id)));
        let whole = money::to_minor_units(self.amount.as_ref());
        let amounts = self.uses.iter().map(|one| one.amount);
        let taken = amounts.clone().fold(0_i64, |sum, one| sum.saturating_add(money::to_minor_units(one.as_ref())));
        if left_of(self) < 0 || left_of(self).saturating_add(taken) != whole {
            return broken("its rest and what was taken are not its amount");
        }
        let currency = self.amount.map(|amount| amount.currency);
        if amounts.chain([self.left]).any(|one| one.map(|one| one.currency) != currency) {
            return broken("it has more than one currency");
        }
        if left_of(self) == 0 && self.status() == CreditStatus::Open {
            return broken("it is OPEN, and nothing is left");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::CreditUse;
    use pavise_kernel::common::v1::{Date, Money};

    fn usd(amount: i64) -> Option<Money> {
        Some(Money { currency: 1, amount })
    }

    #[test]
    fn rest_and_uses_are_the_amount() {
        let taken = CreditUse { amount: usd(200), ..CreditUse::default() };
        let good = Credit {
            status: CreditStatus::Open.into(),
            amount: usd(500),
            left: usd(300),
            uses: vec![taken],
            ..Credit::default()
        };
        Invariants::check(&good).unwrap();
        let lost = Credit { left: usd(299), ..good.clone() };
        let other = Credit { left: Some(Money { currency: 2, amount: 300 }), ..good.clone() };
        let empty = Credit { amount: usd(200), left: usd(0), ..good };
        for bad in [lost, other, empty] {
            assert!(Invariants::check(&bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn only_an_open_credit_ends_and_the_day_after_its_last() {
        let due = |status: CreditStatus| {
            let last_day = Some(Date { year: 2026, month: 2, day: 28 });
            let mut one = Credit { status: status.into(), last_day, ..Credit::default() };
            Derive::derive(&mut one, None, &Timestamp::default()).unwrap();
            one.due_to_expire_on
        };
        assert_eq!(due(CreditStatus::Open), Some(Date { year: 2026, month: 3, day: 1 }));
        assert_eq!(due(CreditStatus::Used), None);
    }
}
