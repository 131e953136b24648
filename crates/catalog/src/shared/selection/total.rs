//! The totals of priced lines.

use pavise_kernel::common::v1::{Currency, Money};
use pavise_kernel::money;

use super::problems::Problems;
use crate::contract::v1::{PricedLine, SelectionProblemKind as Kind};

/// The initial and the renewal total of the lines. A total that is too large is `None` and a problem.
pub(super) fn add_up(
    lines: &[PricedLine],
    currency: Currency,
    problems: &mut Problems,
) -> (Option<Money>, Option<Money>) {
    let mut sum = |price: fn(&PricedLine) -> Option<Money>| {
        let total = money::sum_amounts(lines.iter().filter_map(price).map(|price| price.amount));
        if total.is_none() {
            problems.add("selections", Kind::TotalTooLarge, "it is more than can be charged at once");
        }
        total.map(|amount| money::from_minor_units(currency, amount))
    };
    (sum(|line| line.initial_price), sum(|line| line.renewal_price))
}
