//! What it costs together.

use pavise_kernel::common::v1::{Currency, Money};
use pavise_kernel::money;

use super::Problems;
use crate::contract::v1::{PricedLine, SelectionProblemKind as Kind};

/// The initial and the renewal total of the lines; nothing for one that is too large.
pub(super) fn of(lines: &[PricedLine], currency: Currency, problems: &mut Problems) -> (Option<Money>, Option<Money>) {
    let mut sum = |price: fn(&PricedLine) -> Option<Money>| {
        let total = money::total(lines.iter().filter_map(price).map(|price| price.amount));
        if total.is_none() {
            problems.add("selections", Kind::TotalTooLarge, "it is more than can be charged at once");
        }
        total.map(|amount| money::money(currency, amount))
    };
    (sum(|line| line.initial_price), sum(|line| line.renewal_price))
}
