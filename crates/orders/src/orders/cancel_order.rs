//! Takes an order back while the buyer may change their mind.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{add_days, to_date, to_days, to_micros};
use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Error, Result, regions};

use crate::contract::roles;
use crate::contract::v1::{
    CancelOrderRequest, ErrorReason, Order, OrderCancellation, OrderStatus, PaymentMethod, SubscriptionAction,
};
use crate::shared::tools::Tools as _;

impl CheckRequest<CancelOrderRequest> for Order {
    /// The days are those of the country in which it was bought. One that is cancelled already is answered as it is.
    async fn check_request(call: &Call, order: Option<&Self>, _request: &CancelOrderRequest) -> Result<()> {
        let is_new = |order: &&Self| order.cancellation.is_none() && order.status() == OrderStatus::Provisioned;
        let Some(order) = order.filter(is_new) else { return Ok(()) };
        check_cancellable(order, call.has_role(roles::GROUP_ADMIN))?;
        let days = call.config()?.cooling_off.days_in(regions::country_of(order.locality()));
        check_in_time(order, days, call.today())
    }
}

impl Edit<CancelOrderRequest> for Order {
    /// Records who cancelled it and why. The worker does the rest.
    fn edit(&mut self, request: &CancelOrderRequest, context: &EditContext) -> Result<()> {
        self.cancellation.get_or_insert_with(|| OrderCancellation {
            at: Some(context.timestamp()),
            cancelled_by: context.actor().to_owned(),
            reason: request.reason,
            ..OrderCancellation::default()
        });
        Ok(())
    }
}

/// Refuses an order that is not to be taken back as a whole.
fn check_cancellable(order: &Order, by_group: bool) -> Result<()> {
    let refuse = |why: &str| Err(Error::new(ErrorReason::OrderNotCancellable, why));
    if by_group && order.payment_method() != PaymentMethod::PremiumBilling {
        return refuse("the group does not pay for the order");
    }
    let extends = |action: SubscriptionAction| action == SubscriptionAction::Update;
    if !order.entitlement_id.is_empty() || order.offers.iter().any(|offer| extends(offer.subscription_action())) {
        return refuse("the order extends a plan of before");
    }
    Ok(())
}

/// Refuses an order whose days are over.
fn check_in_time(order: &Order, days: i64, today: Date) -> Result<()> {
    let Some(bought) = order.purchased_at.as_ref() else {
        return Err(Error::new(ErrorReason::OrderNotCancellable, "the day of the purchase is not known"));
    };
    let last = add_days(to_date(to_micros(bought)), days);
    if to_days(today) <= to_days(last) {
        return Ok(());
    }
    let last = format!("{:04}-{:02}-{:02}", last.year, last.month, last.day);
    let message = format!("the order could be cancelled until {last}");
    Err(Error::new(ErrorReason::CancellationPeriodOver, message).with("last_day", last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{OfferOnOrder, OrderCancelReason};
    use pavise_kernel::time::{DAY, to_timestamp};

    #[test]
    fn it_is_taken_back_until_the_last_day_and_not_later() {
        let order = Order { purchased_at: Some(to_timestamp(5 * DAY - 1)), ..Order::default() };
        let day = |day: i32| Date { year: 1970, month: 1, day };
        for days in [0, 10] {
            let last = 5 + i32::try_from(days).unwrap();
            check_in_time(&order, days, day(last)).unwrap();
            let late = check_in_time(&order, days, day(last + 1)).unwrap_err();
            assert!(late.is(ErrorReason::CancellationPeriodOver));
            assert!(late.message().ends_with(&format!("1970-01-{last:02}")), "{}", late.message());
        }
        assert!(check_in_time(&Order::default(), 10, day(5)).unwrap_err().is(ErrorReason::OrderNotCancellable));
    }

    #[test]
    fn an_order_that_extends_something_or_that_others_pay_for_stays() {
        check_cancellable(&Order::default(), false).unwrap();
        let supplements = Order { entitlement_id: "plan".into(), ..Order::default() };
        let update = SubscriptionAction::Update.into();
        let extending = Order {
            offers: vec![OfferOnOrder { subscription_action: update, ..OfferOnOrder::default() }],
            ..Order::default()
        };
        for order in [supplements, extending] {
            assert!(check_cancellable(&order, false).unwrap_err().is(ErrorReason::OrderNotCancellable));
        }
        assert!(check_cancellable(&Order::default(), true).unwrap_err().is(ErrorReason::OrderNotCancellable));
        let premium = Order { payment_method: PaymentMethod::PremiumBilling.into(), ..Order::default() };
        check_cancellable(&premium, true).unwrap();
    }

    #[test]
    fn a_repeat_keeps_the_first_reason() {
        let mut order = Order::default();
        for reason in [OrderCancelReason::Mistake, OrderCancelReason::Other] {
            let request = CancelOrderRequest { reason: reason.into(), ..CancelOrderRequest::default() };
            order.edit(&request, &EditContext::at(0)).unwrap();
        }
        assert_eq!(order.cancellation.unwrap().reason(), OrderCancelReason::Mistake);
    }
}
