//! Whether what a buyer chose of an offer can be bought, everything that is wrong with it, and what it costs.
//!
//! A pure function of the offer, its products and the request; orders trusts its prices.

mod line;
mod sale;
mod together;
mod total;

pub(crate) use sale::needs_group;

use pavise_kernel::common::v1::{BillingPeriod, Currency, Date, Locale, RegionCode};

use crate::contract::v1::{
    Offer, Product, SalesChannelKind, Selection, SelectionProblem, SelectionProblemKind, ValidateSelectionsRequest,
    ValidateSelectionsResponse,
};
use crate::name;
use crate::price::Terms;

/// What a buyer wants, with what he left out filled in.
#[derive(Debug, Clone)]
pub struct Wish<'a> {
    /// What he chose.
    pub selections: &'a [Selection],
    /// How often and in what he pays, and the day.
    pub terms: Terms,
    /// Where he lives.
    pub locality: RegionCode,
    /// The way he buys.
    pub channel: SalesChannelKind,
    /// The group through which he buys; empty for none.
    pub group_id: &'a str,
    /// The locale of names.
    pub locale: Locale,
}

impl<'a> Wish<'a> {
    /// What a request wishes on a day. Not said means: MONTHLY; the currency of the locale, and USD without one; GROUP
    /// with a group, and D2C without one (001 §9).
    #[must_use]
    pub fn of(request: &'a ValidateSelectionsRequest, day: Date) -> Self {
        let billing_period = match request.billing_period() {
            BillingPeriod::Unspecified => BillingPeriod::Monthly,
            said => said,
        };
        let currency = match (request.currency(), request.locale()) {
            (Currency::Unspecified, Locale::EnCa | Locale::FrCa) => Currency::Cad,
            (Currency::Unspecified, _) => Currency::Usd,
            (said, _) => said,
        };
        let channel = match (request.channel(), request.group_id.as_str()) {
            (SalesChannelKind::Unspecified, "") => SalesChannelKind::D2c,
            (SalesChannelKind::Unspecified, _) => SalesChannelKind::Group,
            (said, _) => said,
        };
        Self {
            selections: &request.selections,
            terms: Terms { billing_period, currency, day },
            locality: request.locality(),
            channel,
            group_id: &request.group_id,
            locale: request.locale(),
        }
    }
}

/// Says whether the wish can be bought of the offer. `products` are those of the offer that exist, in any order.
#[must_use]
pub fn validate(offer: &Offer, products: &[Product], wish: &Wish<'_>) -> ValidateSelectionsResponse {
    let mut problems = Problems::default();
    sale::check(offer, wish, &mut problems);
    let mut lines = Vec::new();
    let chosen = together::chosen(offer, products, wish, &mut problems);
    for one in &chosen {
        lines.extend(line::price(one, wish, &mut problems));
    }
    together::check(&chosen, wish, &mut problems);
    let (initial_total, renewal_total) = total::of(&lines, wish.terms.currency, &mut problems);
    ValidateSelectionsResponse {
        valid: problems.0.is_empty(),
        problems: problems.0,
        lines,
        initial_total,
        renewal_total,
        offer_name: name::of_offer(offer, wish.locale),
    }
}

/// What is wrong, in the order found.
#[derive(Debug, Default)]
struct Problems(Vec<SelectionProblem>);

impl Problems {
    fn add(&mut self, field: impl Into<String>, kind: SelectionProblemKind, description: impl Into<String>) {
        let problem = SelectionProblem { field: field.into(), kind: kind.into(), description: description.into() };
        if !self.0.contains(&problem) {
            self.0.push(problem);
        }
    }
}

#[cfg(test)]
mod property;
#[cfg(test)]
mod tests;
