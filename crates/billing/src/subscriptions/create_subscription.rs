//! Creates a subscription.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{add_days, to_days};
use pavise_kernel::{Call, Error, Result};

use super::support::billing_day::next_billing_day;
use super::support::collection::find_collection;
use super::support::days::check_day;
use super::support::prices::check_prices;
use super::support::retry_schedule::resolve_retry_schedule;
use crate::contract::v1::{CreateSubscriptionRequest, Subscription, SubscriptionStatus, VendorType};
use crate::shared::admission::{UsableWhen, admit_naming};

/// Makes a subscription. Its days follow from the first day where the request does not name them.
pub(crate) async fn create_subscription(call: &Call, request: CreateSubscriptionRequest) -> Result<Subscription> {
    if !request.payment_method_id.is_empty() {
        let group = std::future::ready(Ok(request.group_id.clone()));
        admit_naming(call, &request.payment_method_id, group, UsableWhen::AtCharge).await?;
    }
    let mut subscription = build_subscription(request, call.today())?;
    subscription.owner_id = call.owner().to_owned();
    subscription.idempotent_key = call.new_id();
    let collection = find_collection(call, &subscription).await?;
    subscription.set_collection(collection);
    call.create(subscription).await
}

fn build_subscription(request: CreateSubscriptionRequest, today: Date) -> Result<Subscription> {
    check_prices(&request.items)?;
    let started_on = check_day("started_on", request.started_on)?.unwrap_or(today);
    let frequency = request.billing_frequency.max(1);
    let cycle_day = if request.bill_cycle_day == 0 { started_on.day } else { request.bill_cycle_day };
    let period = request.billing_period();
    let next_bill_on = check_day("next_bill_on", request.next_bill_on)?
        .or_else(|| next_billing_day(started_on, period, frequency, cycle_day));
    if next_bill_on.is_some_and(|next| to_days(next) < to_days(started_on)) {
        return Err(Error::field("next_bill_on", "lies before started_on"));
    }
    let paid_to_date =
        check_day("paid_to_date", request.paid_to_date)?.or_else(|| next_bill_on.map(|next| add_days(next, -1)));
    let retry_schedule = resolve_retry_schedule(&request.retry_schedule)?;
    let vendor = match request.vendor() {
        VendorType::Unspecified => VendorType::Atlas,
        named => named,
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
        division_id: request.division_id,
        order_id: request.order_id,
        order_offer_id: request.order_offer_id,
        friendly_id_type: request.friendly_id_type,
        friendly_id: request.friendly_id,
        brand: request.brand,
        ..Subscription::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::BillingPeriod;

    const TODAY: Date = Date { year: 2026, month: 1, day: 31 };

    fn monthly() -> CreateSubscriptionRequest {
        CreateSubscriptionRequest {
            billing_period: BillingPeriod::Monthly.into(),
            ..CreateSubscriptionRequest::default()
        }
    }

    #[test]
    fn unnamed_days_follow_from_the_first_day() {
        let made = build_subscription(monthly(), TODAY).unwrap();
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
    fn a_payroll_has_no_billing_day_of_its_own() {
        let by_payroll = CreateSubscriptionRequest { billing_period: BillingPeriod::PayPeriod.into(), ..monthly() };
        let made = build_subscription(by_payroll, TODAY).unwrap();
        assert_eq!(made.next_bill_on, None);
        assert_eq!(made.paid_to_date, None);
    }

    #[test]
    fn a_subscription_with_arrears_begins_as_catching_up() {
        let made = build_subscription(CreateSubscriptionRequest { catching_up: true, ..monthly() }, TODAY).unwrap();
        assert_eq!(made.status(), SubscriptionStatus::CatchingUp);
    }

    #[test]
    fn impossible_days_are_refused() {
        let feb_30 = Some(Date { year: 2026, month: 2, day: 30 });
        assert!(build_subscription(CreateSubscriptionRequest { started_on: feb_30, ..monthly() }, TODAY).is_err());
        let before = Some(Date { year: 2026, month: 1, day: 30 });
        assert!(build_subscription(CreateSubscriptionRequest { next_bill_on: before, ..monthly() }, TODAY).is_err());
        assert!(
            build_subscription(CreateSubscriptionRequest { retry_schedule: vec![5, 3], ..monthly() }, TODAY).is_err()
        );
    }
}
