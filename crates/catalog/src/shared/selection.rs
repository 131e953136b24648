//! Checks and prices the choice of a buyer from an offer.
//!
//! The check is a pure function of the offer, its products and the request. Orders rely on its prices.

mod chosen;
mod line;
mod problems;
mod sale;
mod total;
mod wish;

pub(crate) use sale::is_group_only;
pub(crate) use wish::Wish;

use problems::Problems;

use super::name;
use crate::contract::v1::{Offer, Product, ValidateSelectionsResponse};

/// Checks and prices a wish. `products` are the existing products of the offer, in any order.
pub(crate) fn validate_wish(offer: &Offer, products: &[Product], wish: &Wish<'_>) -> ValidateSelectionsResponse {
    let mut problems = Problems::default();
    sale::check_sale(offer, wish, &mut problems);
    let mut lines = Vec::new();
    let chosen = chosen::find_chosen(offer, products, wish, &mut problems);
    for one in &chosen {
        lines.extend(line::price_lines(one, wish, &mut problems));
    }
    chosen::check_companions(&chosen, wish, &mut problems);
    let (initial_total, renewal_total) = total::add_up(&lines, wish.terms.currency, &mut problems);
    ValidateSelectionsResponse {
        valid: problems.0.is_empty(),
        problems: problems.0,
        lines,
        initial_total,
        renewal_total,
        offer_name: name::name_offer(offer, wish.locale),
    }
}

#[cfg(test)]
mod property;
#[cfg(test)]
mod tests;
