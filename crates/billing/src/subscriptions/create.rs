//! Making a subscription: what is not said follows from its first day.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{add_days, days, is_real};
use pavise_kernel::{Call, Error, Result};

use super::cycle;
use crate::contract::v1::{CreateSubscriptionRequest, Subscription, SubscriptionItem, SubscriptionStatus, VendorType};
use crate::money;
use crate::payment_methods::owner;

/// How many days after a failed payment it is tried again, when nothing else is said.
const RETRY_SCHEDULE: [i32; 3] = [3, 5, 7];

/// Makes a subscription.
pub(super) async fn create(call: &Call, request: CreateSubscriptionRequest) -> Result<Subscription> {
    if !request.payment_method_id.is_empty() {
        let method = owner::owned(call, &request.payment_method_id).await?;
        owner::pays_for(&method, &request.group_id)?;
    }
    let mut subscription = subscription(request, call.today())?;
    subscription.owner_id = call.owner().to_owned();
    subscription.idempotent_key = call.new_id();
    call.create(subscription).await
}

/// The entity of a request, with what follows from it.
fn subscription(request: CreateSubscriptionRequest, today: Date) -> Result<Subscription> {
    priced(&request.items)?;
    let started_on = day("started_on", request.started_on)?.unwrap_or(today);
    let frequency = request.billing_frequency.max(1);
    let cycle_day = if request.bill_cycle_day == 0 { started_on.day } else { request.bill_cycle_day };
    let period = request.billing_period();
    let next_bill_on =
        day("next_bill_on", request.next_bill_on)?.or_else(|| cycle::next(started_on, period, frequency, cycle_day));
    if next_bill_on.is_some_and(|next| days(next) < days(started_on)) {
        return Err(Error::field("next_bill_on", "lies before started_on"));
    }
    let paid_to_date = day("paid_to_date", request.paid_to_date)?.or_else(|| next_bill_on.map(|next| add_days(next, -1)));
    let retry_schedule = retry_schedule(&request.retry_schedule)?;
    let vendor = match request.vendor() {
        VendorType::Unspecified => VendorType::Atlas,
        said => said,
    };
    let status = if request.catching_up { SubscriptionStatus::CatchingUp } else { SubscriptionStatus::Active };
    Ok(Subscription {
        status: status.into(),
        vendor: vendor.into(),
        offer_id: request.offer_id,
        items: request.items,
        billing_period: request.billing_period,
        billing_frequency: frequency,
        bill_cycle_day: cycle_day,
        next_bill_on,
        paid_to_date,
        started_on: Some(started_on),
        payment_method_id: request.payment_method_id,
        retry_schedule,
        administrative_area: request.administrative_area,
        postal_code: request.postal_code,
        source: request.source,
        billing_division: request.billing_division,
        group_id: request.group_id,
        order_id: request.order_id,
        order_offer_id: request.order_offer_id,
        friendly_id_type: request.friendly_id_type,
        friendly_id: request.friendly_id,
        brand: request.brand,
        ..Subscription::default()
    })
}

/// A day of the calendar, if one was sent.
fn day(field: &str, day: Option<Date>) -> Result<Option<Date>> {
    match day {
        Some(day) if !is_real(day) => Err(Error::field(field, "is no day of the calendar")),
        day => Ok(day),
    }
}

/// Prices are zero or more, in one currency.
pub(super) fn priced(items: &[SubscriptionItem]) -> Result<()> {
    let currency = items.first().and_then(|item| item.price).map_or(0, |price| price.currency);
    for (at, price) in items.iter().enumerate().filter_map(|(at, item)| Some((at, item.price?))) {
        money::in_currency("subscription", currency, &price)?;
        if price.amount < 0 {
            return Err(Error::field(format!("items[{at}].price.amount"), "must be zero or more"));
        }
    }
    Ok(())
}

/// Days that rise; the usual ones where none are said.
pub(super) fn retry_schedule(wanted: &[i32]) -> Result<Vec<i32>> {
    let rises = wanted.iter().zip(wanted.iter().skip(1)).all(|(one, next)| one < next);
    match wanted {
        [] => Ok(RETRY_SCHEDULE.to_vec()),
        wanted if rises => Ok(wanted.to_vec()),
        _ => Err(Error::field("retry_schedule", "must rise from day to day")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::{BillingPeriod, Money};

    const TODAY: Date = Date { year: 2026, month: 1, day: 31 };

    fn monthly() -> CreateSubscriptionRequest {
        CreateSubscriptionRequest { billing_period: BillingPeriod::Monthly.into(), ..CreateSubscriptionRequest::default() }
    }

    #[test]
    fn what_is_not_said_follows_from_the_first_day() {
        let made = subscription(monthly(), TODAY).unwrap();
        assert_eq!(made.started_on, Some(TODAY));
        assert_eq!(made.bill_cycle_day, 31);
        assert_eq!(made.next_bill_on, Some(Date { year: 2026, month: 2, day: 28 }));
        assert_eq!(made.paid_to_date, Some(Date { year: 2026, month: 2, day: 27 }));
        assert_eq!(made.retry_schedule, [3, 5, 7]);
        assert_eq!(made.vendor(), VendorType::Atlas);
        assert_eq!(made.status(), SubscriptionStatus::Active);
        assert_eq!(made.billing_frequency, 1);
    }

    #[test]
    fn a_payroll_says_itself_when_it_bills() {
        let made =
            subscription(CreateSubscriptionRequest { billing_period: BillingPeriod::PayPeriod.into(), ..monthly() }, TODAY)
                .unwrap();
        assert_eq!(made.next_bill_on, None);
        assert_eq!(made.paid_to_date, None);
    }

    #[test]
    fn arrears_begin_as_catching_up() {
        let made = subscription(CreateSubscriptionRequest { catching_up: true, ..monthly() }, TODAY).unwrap();
        assert_eq!(made.status(), SubscriptionStatus::CatchingUp);
    }

    #[test]
    fn days_and_prices_that_make_no_sense_are_refused() {
        let feb_30 = Some(Date { year: 2026, month: 2, day: 30 });
        assert!(subscription(CreateSubscriptionRequest { started_on: feb_30, ..monthly() }, TODAY).is_err());
        let before = Some(Date { year: 2026, month: 1, day: 30 });
        assert!(subscription(CreateSubscriptionRequest { next_bill_on: before, ..monthly() }, TODAY).is_err());
        assert!(subscription(CreateSubscriptionRequest { retry_schedule: vec![5, 3], ..monthly() }, TODAY).is_err());
        let item = |currency, amount| SubscriptionItem { price: Some(Money { currency, amount }), ..SubscriptionItem::default() };
        assert!(subscription(CreateSubscriptionRequest { items: vec![item(1, 100), item(2, 100)], ..monthly() }, TODAY).is_err());
        assert!(subscription(CreateSubscriptionRequest { items: vec![item(1, -100)], ..monthly() }, TODAY).is_err());
    }
}
