//! Totals of an order and its offers.

use pavise_kernel::Result;

use crate::contract::v1::{OfferOnOrder, OfferStatusOnOrder, Order, OrderTotals};
use crate::shared::amount;
use crate::tax::support::calculation;

/// Adds up an offer's lines.
///
/// # Errors
/// `CURRENCY_MISMATCH`, `AMOUNT_TOO_LARGE`.
pub(crate) fn add_up_offer(order: &Order, offer: &mut OfferOnOrder) -> Result<()> {
    let currency = order.currency();
    let subtotal = amount::sum_of(currency, offer.lines.iter().map(|line| line.initial_price.as_ref()))?;
    let renewal = amount::sum_of(currency, offer.lines.iter().map(|line| line.renewal_price.as_ref()))?;
    let taxes = calculation::sum_by_component(currency, offer.lines.iter().flat_map(|line| &line.taxes))?;
    let tax = amount::sum_of(currency, taxes.iter().map(|tax| tax.amount.as_ref()))?;
    offer.total = Some(amount::sum_of(currency, [Some(&subtotal), Some(&tax)])?);
    offer.subtotal = Some(subtotal);
    offer.taxes = taxes;
    offer.tax = Some(tax);
    offer.renewal_total = Some(renewal);
    Ok(())
}

/// Adds up an order's offers.
///
/// # Errors
/// As [`add_up_offer`].
pub(crate) fn add_up(order: &Order) -> Result<OrderTotals> {
    let (currency, offers) = (order.currency(), &order.offers);
    let unpaid = offers.iter().filter(|offer| offer.status() != OfferStatusOnOrder::Funded);
    Ok(OrderTotals {
        subtotal: Some(amount::sum_of(currency, offers.iter().map(|offer| offer.subtotal.as_ref()))?),
        tax: Some(amount::sum_of(currency, offers.iter().map(|offer| offer.tax.as_ref()))?),
        total: Some(amount::sum_of(currency, offers.iter().map(|offer| offer.total.as_ref()))?),
        renewal: Some(amount::sum_of(currency, offers.iter().map(|offer| offer.renewal_total.as_ref()))?),
        due: Some(amount::sum_of(currency, unpaid.map(|offer| offer.total.as_ref()))?),
    })
}
