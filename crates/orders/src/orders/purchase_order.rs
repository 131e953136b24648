//! Starts the payment of an order.

use pavise_kernel::common::v1::{Date, Money};
use pavise_kernel::error::Common;
use pavise_kernel::time::to_days;
use pavise_kernel::{Call, Error, Result};

use super::support::charge::is_charged;
use super::support::payment_method::load_payment_method;
use super::support::plan::check_still_extends;
use super::support::price::price_order;
use super::support::problem::check_still_buyable;
use super::support::{held, totals};
use crate::contract::v1::*;
use crate::shared::tools::Tools as _;
use crate::tax::support::{area, calculation, rate};

pub(crate) async fn purchase_order(call: &Call, request: PurchaseOrderRequest) -> Result<Order> {
    let before: Order = call.get(&request.order_id).await?;
    if before.status() == OrderStatus::Processing {
        // A second purchase of an order that is being paid has no effect.
        return call.answer_unchanged(before).await;
    }
    call.check_transition(&before)?;
    check_complete(&before)?;
    if !before.entitlement_id.is_empty() {
        check_still_extends(call, &before).await?;
    }
    let method = load_payment_method(call, &before, &request.payment_method_id).await?;
    let mut after = before.clone();
    check_still_buyable(&price_order(call, &mut after).await?)?;
    after.payment_method = method.into();
    check_taxes(call, &after).await?;
    check_price(&before, &after, request.expected_total.as_ref(), request.expected_renewal.as_ref())?;
    start_attempt(&mut after, request.payment_method_id, method)?;
    after.purchased_at = Some(call.timestamp());
    after.effective_on = begin_from(before.effective_on, call.today());
    after.bought_again |= request.buy_again;
    let new_plans = before.entitlement_id.is_empty();
    if new_plans && !request.buy_again {
        held::check_not_held(call, &before).await?;
    }
    let mut unit = call.unit();
    let after = unit.update(&before, after)?;
    match unit.commit_answer(after).await {
        Err(error) if error.is(Common::AlreadyExists) && new_plans => Err(held::already_held_error(&before)),
        Err(error) if error.is(Common::AlreadyExists) => {
            Err(Error::new(ErrorReason::OfferNotBuyable, "another order is adding a supplement of this one already"))
        }
        other => other,
    }
}

/// The first day of plans that are bought today: no plan covers a day before its purchase.
fn begin_from(wanted: Option<Date>, today: Date) -> Option<Date> {
    wanted.map(|day| if to_days(day) < to_days(today) { today } else { day })
}

/// Checks that the order has something to be paid, and a business if one is needed.
///
/// # Errors
/// `ORDER_EMPTY`, `BUSINESS_MISSING`.
fn check_complete(order: &Order) -> Result<()> {
    if !order.offers.iter().any(|offer| offer.status() != OfferStatusOnOrder::Funded) {
        return Err(Error::new(ErrorReason::OrderEmpty, "put an offer on the order before purchasing it"));
    }
    if order.entitlement_id.is_empty()
        && order.business_info.is_none()
        && order.offers.iter().flat_map(|offer| &offer.lines).any(|line| line.business)
    {
        return Err(Error::new(
            ErrorReason::BusinessMissing,
            "say which business it is for (business_info) before purchasing",
        ));
    }
    Ok(())
}

/// Refuses a charge with tax rates that nobody has confirmed: the samples of a new installation.
///
/// # Errors
/// `SAMPLE_TAX_RATE`.
async fn check_taxes(call: &Call, order: &Order) -> Result<()> {
    if call.config()?.sample_taxes {
        return Ok(());
    }
    let area = area::find_area(call, order.locality()).await?;
    let unpaid = order.offers.iter().filter(|offer| offer.status() != OfferStatusOnOrder::Funded);
    let charged = unpaid.filter(|offer| is_charged(order, offer));
    let categories = charged.flat_map(|offer| &offer.lines).filter(|line| line.taxable);
    let sampled = categories
        .map(|line| calculation::category_from_family(&line.family))
        .find(|category| rate::find_in_force(&area, *category, call.today()).any(|rate| rate.sample));
    let Some(category) = sampled else { return Ok(()) };
    let (region, category) = (order.locality().spelling(), category.spelling());
    let message = format!("the tax rates of {region} for {category} are samples: set those in force first");
    Err(Error::new(ErrorReason::SampleTaxRate, message).with("locality", region).with("category", category))
}

/// Refuses a price that the buyer has not seen. Today's price must be the expected one, or else the one on the order.
///
/// # Errors
/// `PRICE_CHANGED`.
fn check_price(shown: &Order, today: &Order, expected: Option<&Money>, expected_renewal: Option<&Money>) -> Result<()> {
    let (old, new) = (shown.totals.unwrap_or_default(), today.totals.unwrap_or_default());
    let due = expected.or(old.due.as_ref());
    let renewal = expected_renewal.or(old.renewal.as_ref());
    if due == new.due.as_ref() && renewal == new.renewal.as_ref() {
        return Ok(());
    }
    let text = |amount: Option<&Money>| amount.map_or(0, |amount| amount.amount).to_string();
    let currency = today.currency().spelling();
    let message = if due == new.due.as_ref() {
        format!(
            "the price has changed: each renewal is {} {currency}, not {}",
            text(new.renewal.as_ref()),
            text(renewal)
        )
    } else {
        format!("the price has changed: {} {currency} is due now, not {}", text(new.due.as_ref()), text(due))
    };
    let error = Error::new(ErrorReason::PriceChanged, message).with("currency", currency);
    let amounts = [("subtotal", new.subtotal), ("tax", new.tax), ("due", new.due), ("renewal", new.renewal)];
    Err(amounts.iter().fold(error, |error, (name, amount)| error.with(name, text(amount.as_ref()))))
}

/// Starts the next attempt group.
fn start_attempt(order: &mut Order, payment_method_id: String, method: PaymentMethod) -> Result<()> {
    order.attempt = order.attempt.checked_add(1).ok_or_else(|| Error::internal("an order was purchased too often"))?;
    order.status = OrderStatus::Processing.into();
    order.payment_method_id = payment_method_id;
    order.payment_method = method.into();
    for offer in order.offers.iter_mut().filter(|offer| offer.status() != OfferStatusOnOrder::Funded) {
        offer.status = OfferStatusOnOrder::Open.into();
        offer.failure_reason = String::new();
        offer.attempts = offer.attempts.saturating_add(1);
    }
    order.totals = Some(totals::add_up(order)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::amount;
    use pavise_kernel::common::v1::Currency;

    fn order(due: i64, renewal: i64) -> Order {
        let money = |amount| Some(amount::from_minor_units(Currency::Usd, amount));
        let totals = OrderTotals {
            subtotal: money(due),
            tax: money(0),
            total: money(due),
            renewal: money(renewal),
            due: money(due),
        };
        Order { currency: Currency::Usd.into(), totals: Some(totals), ..Order::default() }
    }

    #[test]
    fn no_plan_covers_a_day_before_its_purchase() {
        let day = |day| Date { year: 2026, month: 11, day };
        assert_eq!(begin_from(Some(day(1)), day(20)), Some(day(20)));
        assert_eq!(begin_from(Some(day(30)), day(20)), Some(day(30)));
        assert_eq!(begin_from(None, day(20)), None);
    }

    #[test]
    fn the_price_that_was_shown_is_the_price_that_is_paid() {
        check_price(&order(2495, 2495), &order(2495, 2495), None, None).unwrap();
        let refused = check_price(&order(2495, 2495), &order(2995, 2495), None, None).unwrap_err();
        assert!(refused.is(ErrorReason::PriceChanged));
        assert_eq!(refused.message(), "the price has changed: 2995 USD is due now, not 2495");
        assert!(
            check_price(&order(2495, 2495), &order(2495, 2995), None, None).unwrap_err().is(ErrorReason::PriceChanged)
        );
    }

    #[test]
    fn a_buyer_agrees_to_a_new_price_by_naming_it() {
        let new = amount::from_minor_units(Currency::Usd, 2995);
        check_price(&order(2495, 2495), &order(2995, 2495), Some(&new), None).unwrap();
        check_price(&order(2495, 2495), &order(2995, 2995), Some(&new), Some(&new)).unwrap();
        assert!(check_price(&order(2495, 2495), &order(2995, 2995), Some(&new), None).is_err());
        let foreign = amount::from_minor_units(Currency::Cad, 2995);
        assert!(check_price(&order(2495, 2495), &order(2995, 2495), Some(&foreign), None).is_err());
    }

    #[test]
    fn an_attempt_leaves_paid_offers_alone() {
        let paid = OfferOnOrder {
            status: OfferStatusOnOrder::Funded.into(),
            attempts: 1,
            funded_attempt: 1,
            ..OfferOnOrder::default()
        };
        let failed = OfferOnOrder {
            status: OfferStatusOnOrder::PaymentFailed.into(),
            attempts: 1,
            failure_reason: "x".into(),
            ..OfferOnOrder::default()
        };
        let mut order = Order {
            offers: vec![paid.clone(), failed],
            attempt: 1,
            currency: Currency::Usd.into(),
            ..Order::default()
        };
        start_attempt(&mut order, "m".into(), PaymentMethod::CreditCard).unwrap();
        let tried = OfferOnOrder { status: OfferStatusOnOrder::Open.into(), attempts: 2, ..OfferOnOrder::default() };
        assert_eq!(order.offers, [paid, tried]);
        assert_eq!((order.attempt, order.status()), (2, OrderStatus::Processing));
    }
}
