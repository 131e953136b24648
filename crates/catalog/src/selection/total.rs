//! What it costs together.

use pavise_kernel::common::v1::{Currency, Money};

use super::Problems;
use crate::contract::v1::{PricedLine, SelectionProblemKind as Kind};

/// The largest amount that is charged at once, in minor units, as for every amount of money.
pub(super) const MOST: i64 = 10_000_000_000;

/// The initial and the renewal total of the lines; nothing for one that is too large.
pub(super) fn of(lines: &[PricedLine], currency: Currency, problems: &mut Problems) -> (Option<Money>, Option<Money>) {
    let mut sum = |price: fn(&PricedLine) -> Option<Money>| {
        let mut amounts = lines.iter().filter_map(price).map(|money| money.amount);
        let total = amounts.try_fold(0_i64, i64::checked_add).filter(|total| *total <= MOST);
        if total.is_none() {
            problems.add("selections", Kind::TotalTooLarge, "it is more than can be charged at once");
        }
        total.map(|amount| Money { currency: currency.into(), amount })
    };
    (sum(|line| line.initial_price), sum(|line| line.renewal_price))
}
