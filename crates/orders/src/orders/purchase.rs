//! Starting the payment of an order.

use pavise_kernel::caller::Realm;
use pavise_kernel::common::v1::Money;
use pavise_kernel::error::Common;
use pavise_kernel::{Call, Error, Result, time};
use tonic::Code;

use super::{add_supplements, held, price, totals};
use crate::contract::billing::payment_method_service_client::PaymentMethodServiceClient;
use crate::contract::billing::{self, GetPaymentMethodRequest, PaymentMethodStatus, PaymentMethodType};
use crate::contract::v1::*;

pub(crate) async fn handle(call: &Call, request: PurchaseOrderRequest) -> Result<Order> {
    let before: Order = call.get(&request.order_id).await?;
    if before.status() == OrderStatus::Processing {
        // It is being paid already: a second purchase has the effect of one.
        return Ok(before);
    }
    call.permit(&before)?;
    if !before.offers.iter().any(|offer| offer.status() != OfferStatusOnOrder::Funded) {
        return Err(Error::new(ErrorReason::OrderEmpty, "put an offer on the order before purchasing it"));
    }
    if before.entitlement_id.is_empty()
        && before.business_info.is_none()
        && before.offers.iter().flat_map(|offer| &offer.lines).any(|line| line.business)
    {
        return Err(Error::new(ErrorReason::BusinessMissing, "say which business it is for (business_info) before purchasing"));
    }
    if !before.entitlement_id.is_empty() {
        add_supplements::still_extends(call, &before).await?;
    }
    let method = payment_method(call, &before, &request.payment_method_id).await?;
    let mut after = before.clone();
    price::still_buyable(&price::price(call, &mut after).await?)?;
    agreed(&before, &after, request.expected_total.as_ref(), request.expected_renewal.as_ref())?;
    start(&mut after, request.payment_method_id, method)?;
    after.purchased_at = Some(call.timestamp());
    after.bought_again |= request.buy_again;
    let new_plans = before.entitlement_id.is_empty();
    if new_plans && !request.buy_again {
        held::check_not_held(call, &before).await?;
    }
    let mut unit = call.unit();
    let after = unit.update(&before, after)?;
    match unit.answer(after).await {
        Err(error) if error.is(Common::AlreadyExists) && new_plans => Err(held::refusal_at_once(&before)),
        Err(error) if error.is(Common::AlreadyExists) => {
            Err(Error::new(ErrorReason::OfferNotBuyable, "another order is adding a supplement of this one already"))
        }
        other => other,
    }
}

/// The kind of the buyer's payment method, if it can pay this order.
async fn payment_method(call: &Call, order: &Order, id: &str) -> Result<PaymentMethod> {
    let mut billing = PaymentMethodServiceClient::new(call.peer("billing"));
    let request = GetPaymentMethodRequest { identity_id: order.owner_id.clone(), payment_method_id: id.to_owned() };
    let method = match billing.get_payment_method(call.peer_request(request, "payment_method")).await {
        Ok(method) => method.into_inner(),
        Err(status) if status.code() == Code::NotFound => {
            return Err(Error::field("payment_method_id", "is no payment method of the buyer"));
        }
        Err(status) => return Err(status.into()),
    };
    // An administrator who buys for a member charges what was added through the group, never the member's own.
    let caller = call.caller();
    if caller.realm == Realm::GroupAdmin && caller.identity != order.owner_id && method.group_id != order.group_id {
        return Err(Error::new(ErrorReason::PaymentMethodNotUsable, "the payment method was not added through the group"));
    }
    usable(order, &method, call.now())
}

fn usable(order: &Order, method: &billing::PaymentMethod, now: time::Micros) -> Result<PaymentMethod> {
    let status = method.status().as_str_name().trim_start_matches("PAYMENT_METHOD_STATUS_");
    let refused = |why: String| Err(Error::new(ErrorReason::PaymentMethodNotUsable, why).with("status", status));
    if method.status() != PaymentMethodStatus::Active {
        return refused(format!("the payment method is {status}"));
    }
    if method.cooldown_until.as_ref().is_some_and(|until| time::micros(until) > now) {
        return refused("the payment method was refused for good and cannot be tried again yet; use another".to_owned());
    }
    let group = &method.group_id;
    if !group.is_empty() && *group != order.group_id {
        return refused("the payment method was added by a group and pays orders of that group only".to_owned());
    }
    match method.r#type() {
        PaymentMethodType::CreditCard => Ok(PaymentMethod::CreditCard),
        PaymentMethodType::BankDraft => Ok(PaymentMethod::BankDraft),
        PaymentMethodType::PremiumBilling if !group.is_empty() => Ok(PaymentMethod::PremiumBilling),
        PaymentMethodType::PremiumBilling => refused("PREMIUM_BILLING pays orders of the group that added it only".to_owned()),
        PaymentMethodType::Check | PaymentMethodType::Unspecified => refused("an order cannot be paid by CHECK".to_owned()),
    }
}

/// Refuses a price that the buyer has not seen: what he expects, or else what the order said, must be what is due today.
fn agreed(shown: &Order, today: &Order, expected: Option<&Money>, expected_renewal: Option<&Money>) -> Result<()> {
    let (old, new) = (shown.totals.unwrap_or_default(), today.totals.unwrap_or_default());
    let due = expected.or(old.due.as_ref());
    let renewal = expected_renewal.or(old.renewal.as_ref());
    if due == new.due.as_ref() && renewal == new.renewal.as_ref() {
        return Ok(());
    }
    let text = |amount: Option<&Money>| amount.map_or(0, |amount| amount.amount).to_string();
    let currency = today.currency().spelling();
    let message = if due == new.due.as_ref() {
        format!("the price has changed: each renewal is {} {currency}, not {}", text(new.renewal.as_ref()), text(renewal))
    } else {
        format!("the price has changed: {} {currency} is due now, not {}", text(new.due.as_ref()), text(due))
    };
    let error = Error::new(ErrorReason::PriceChanged, message).with("currency", currency);
    let amounts = [("subtotal", new.subtotal), ("tax", new.tax), ("due", new.due), ("renewal", new.renewal)];
    Err(amounts.iter().fold(error, |error, (name, amount)| error.with(name, text(amount.as_ref()))))
}

/// Begins the next attempt group.
fn start(order: &mut Order, payment_method_id: String, method: PaymentMethod) -> Result<()> {
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
    use crate::amount;
    use pavise_kernel::common::v1::Currency;

    fn order(due: i64, renewal: i64) -> Order {
        let money = |amount| Some(amount::money(Currency::Usd, amount));
        let totals =
            OrderTotals { subtotal: money(due), tax: money(0), total: money(due), renewal: money(renewal), due: money(due) };
        Order { currency: Currency::Usd.into(), totals: Some(totals), ..Order::default() }
    }

    #[test]
    fn the_price_that_was_shown_is_the_price_that_is_paid() {
        agreed(&order(2495, 2495), &order(2495, 2495), None, None).unwrap();
        let refused = agreed(&order(2495, 2495), &order(2995, 2495), None, None).unwrap_err();
        assert!(refused.is(ErrorReason::PriceChanged));
        assert_eq!(refused.message(), "the price has changed: 2995 USD is due now, not 2495");
        assert!(agreed(&order(2495, 2495), &order(2495, 2995), None, None).unwrap_err().is(ErrorReason::PriceChanged));
    }

    #[test]
    fn a_buyer_agrees_to_a_new_price_by_naming_it() {
        let new = amount::money(Currency::Usd, 2995);
        agreed(&order(2495, 2495), &order(2995, 2495), Some(&new), None).unwrap();
        agreed(&order(2495, 2495), &order(2995, 2995), Some(&new), Some(&new)).unwrap();
        assert!(agreed(&order(2495, 2495), &order(2995, 2995), Some(&new), None).is_err());
        let foreign = amount::money(Currency::Cad, 2995);
        assert!(agreed(&order(2495, 2495), &order(2995, 2495), Some(&foreign), None).is_err());
    }

    #[test]
    fn checks_do_not_pay_orders_and_premiums_only_those_of_groups() {
        let method = |kind: PaymentMethodType| billing::PaymentMethod {
            r#type: kind.into(),
            status: PaymentMethodStatus::Active.into(),
            ..billing::PaymentMethod::default()
        };
        let group = Order { group_id: "g".into(), ..Order::default() };
        let of = |group: &str, kind: PaymentMethodType| billing::PaymentMethod { group_id: group.into(), ..method(kind) };
        assert_eq!(usable(&Order::default(), &method(PaymentMethodType::CreditCard), 0).unwrap(), PaymentMethod::CreditCard);
        assert_eq!(usable(&group, &method(PaymentMethodType::CreditCard), 0).unwrap(), PaymentMethod::CreditCard);
        assert_eq!(usable(&group, &of("g", PaymentMethodType::PremiumBilling), 0).unwrap(), PaymentMethod::PremiumBilling);
        assert!(usable(&Order::default(), &method(PaymentMethodType::PremiumBilling), 0).is_err());
        assert!(usable(&group, &method(PaymentMethodType::PremiumBilling), 0).is_err(), "nobody said that the group pays");
        for kind in [PaymentMethodType::CreditCard, PaymentMethodType::BankDraft, PaymentMethodType::PremiumBilling] {
            usable(&group, &of("g", kind), 0).unwrap();
            assert!(usable(&Order::default(), &of("g", kind), 0).is_err(), "the group pays no private order: {kind:?}");
            assert!(usable(&group, &of("h", kind), 0).is_err(), "nor one of another group: {kind:?}");
        }
        assert!(usable(&group, &method(PaymentMethodType::Check), 0).is_err());
        let cooling =
            billing::PaymentMethod { cooldown_until: Some(time::timestamp(2)), ..method(PaymentMethodType::CreditCard) };
        assert!(usable(&group, &cooling, 1).is_err());
        usable(&group, &cooling, 2).unwrap();
    }

    #[test]
    fn an_attempt_leaves_paid_offers_alone() {
        let paid =
            OfferOnOrder { status: OfferStatusOnOrder::Funded.into(), attempts: 1, funded_attempt: 1, ..OfferOnOrder::default() };
        let failed = OfferOnOrder {
            status: OfferStatusOnOrder::PaymentFailed.into(),
            attempts: 1,
            failure_reason: "x".into(),
            ..OfferOnOrder::default()
        };
        let mut order =
            Order { offers: vec![paid.clone(), failed], attempt: 1, currency: Currency::Usd.into(), ..Order::default() };
        start(&mut order, "m".into(), PaymentMethod::CreditCard).unwrap();
        let tried = OfferOnOrder { status: OfferStatusOnOrder::Open.into(), attempts: 2, ..OfferOnOrder::default() };
        assert_eq!(order.offers, [paid, tried]);
        assert_eq!((order.attempt, order.status()), (2, OrderStatus::Processing));
    }
}
