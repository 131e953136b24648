//! The credits for unused days that were paid with credits with a last day: these last no longer than what they come from.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::to_days;
use pavise_kernel::{Call, Result};

use super::by_days::cost_of_rest;
use super::unused_days::{amount_by_credits, has_paid_for};
use crate::contract::v1::{Credit, Invoice};
use crate::credits::support::ledger::amount_of;
use crate::invoices::support::sums::Sums;
use crate::shared::money;

/// The amount that paid for a day, and its parts that were credits with a last day.
#[derive(Debug, Default)]
pub(crate) struct PaidWith {
    whole: i64,
    ending: Vec<(Date, i64)>,
}

impl PaidWith {
    fn add(&mut self, last_day: Date, amount: i64) {
        match self.ending.iter_mut().find(|(known, _)| *known == last_day) {
            Some((_, sum)) => *sum = sum.saturating_add(amount),
            None => self.ending.push((last_day, amount)),
        }
    }

    /// Splits a credit for unused days of that worth, or for a part of it: each credit with a last day comes back in its
    /// share of the worth, the later last days first. The rest was paid with money.
    pub(crate) fn split_credit(&self, credit: Credit, worth: i64, new_id: impl Fn() -> String) -> Vec<Credit> {
        let mut ending = self.ending.clone();
        ending.sort_by_key(|(last_day, _)| std::cmp::Reverse(to_days(*last_day)));
        let mut rest = money::to_minor_units(credit.amount.as_ref());
        let mut credits = Vec::new();
        for (last_day, amount) in ending {
            let share = cost_of_rest(worth, amount, self.whole).min(rest);
            if share > 0 {
                rest = rest.saturating_sub(share);
                let amount = Some(amount_of(&credit, share));
                let id = new_id();
                credits.push(Credit { id, amount, left: amount, last_day: Some(last_day), ..credit.clone() });
            }
        }
        if rest > 0 {
            let amount = Some(amount_of(&credit, rest));
            credits.push(Credit { amount, left: amount, ..credit });
        }
        credits
    }
}

/// Finds what the invoices of a period were paid with that paid for a day.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn find_paid_with(call: &Call, invoices: &[Invoice], day: Date) -> Result<PaidWith> {
    let mut paid = PaidWith::default();
    for invoice in invoices.iter().filter(|invoice| has_paid_for(invoice, day)) {
        let sums = Sums::of(invoice);
        let gone = sums.returned_amount().saturating_add(sums.refunding);
        let worth = sums.total.saturating_add(amount_by_credits(invoice)).saturating_sub(gone);
        paid.whole = paid.whole.saturating_add(worth);
        for item in invoice.items.iter().filter(|item| !item.credit_id.is_empty()) {
            let credit: Option<Credit> = call.find_unscoped(&item.credit_id).await?;
            if let Some(last_day) = credit.and_then(|credit| credit.last_day) {
                paid.add(last_day, money::to_minor_units(item.amount.as_ref()).saturating_neg());
            }
        }
    }
    Ok(paid)
}

/// The sum of credits, in minor units.
pub(crate) fn sum_credits(credits: &[Credit]) -> i64 {
    credits.iter().fold(0_i64, |sum, credit| sum.saturating_add(money::to_minor_units(credit.amount.as_ref())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Money;

    const MAY: Date = Date { year: 2026, month: 5, day: 1 };
    const JUNE: Date = Date { year: 2026, month: 6, day: 1 };

    fn list_parts(paid: &PaidWith, amount: i64, worth: i64) -> Vec<(Option<Date>, i64)> {
        let whole = Some(Money { currency: 1, amount });
        let credit = Credit { id: "whole".to_owned(), amount: whole, left: whole, ..Credit::default() };
        let credits = paid.split_credit(credit, worth, || "part".to_owned());
        assert!(credits.iter().all(|one| one.left == one.amount && one.last_day.is_some() == (one.id == "part")));
        assert_eq!(sum_credits(&credits), amount);
        credits.iter().map(|one| (one.last_day, one.amount.unwrap().amount)).collect()
    }

    #[test]
    fn what_a_credit_paid_lasts_no_longer_than_the_credit() {
        let money = PaidWith { whole: 3000, ending: Vec::new() };
        assert_eq!(list_parts(&money, 1000, 1000), [(None, 1000)]);
        let wholly = PaidWith { whole: 3000, ending: vec![(MAY, 3000)] };
        assert_eq!(list_parts(&wholly, 1000, 1000), [(Some(MAY), 1000)]);
        let both = PaidWith { whole: 3000, ending: vec![(MAY, 1000), (JUNE, 1000)] };
        assert_eq!(list_parts(&both, 100, 100), [(Some(JUNE), 33), (Some(MAY), 33), (None, 34)]);
        // Of 20.00 so much went back to the card; the rest was paid with credits.
        assert_eq!(list_parts(&both, 1400, 2000), [(Some(JUNE), 667), (Some(MAY), 667), (None, 66)]);
        let elsewhere = PaidWith::default();
        assert_eq!(list_parts(&elsewhere, 500, 500), [(None, 500)]);
    }

    #[test]
    fn credits_with_the_same_last_day_are_one() {
        let mut paid = PaidWith::default();
        paid.add(MAY, 100);
        paid.add(JUNE, 20);
        paid.add(MAY, 3);
        assert_eq!(paid.ending, [(MAY, 103), (JUNE, 20)]);
    }
}
