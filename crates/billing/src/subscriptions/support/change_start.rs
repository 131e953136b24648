//! The day on which a change begins.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::to_days;
use pavise_kernel::{Call, Error, Result};

use super::days::{check_day, format_day, require_day};
use super::payer::find_paying_group;
use super::period::find_bills_on;
use crate::contract::roles;
use crate::contract::v1::{ChangeTime, ErrorReason, Subscription, SubscriptionChange, SubscriptionStatus};

/// The beginning of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangeStart {
    /// Within the running period.
    Within(Date),
    /// With the bill of the next billing day.
    WithBill(Date),
}

impl ChangeStart {
    /// Its first day.
    pub(crate) fn day(self) -> Date {
        match self {
            Self::Within(day) | Self::WithBill(day) => day,
        }
    }
}

/// The beginning that a request names. Without a time it is the next billing day.
///
/// # Errors
/// `INVALID_FIELD` for a day in the past or after the next billing day; `SUBSCRIPTION_NOT_CHANGEABLE` where the platform
/// does not bill the subscription.
pub(crate) fn find_start(
    subscription: &Subscription,
    time: ChangeTime,
    on: Option<Date>,
    today: Date,
) -> Result<ChangeStart> {
    if time != ChangeTime::OnDay && check_day("on", on)?.is_some() {
        return Err(Error::field("on", "goes with ON_DAY only"));
    }
    let Some(next) = find_bills_on(subscription) else {
        let why = "the platform does not bill the subscription on its next billing day";
        return Err(Error::new(ErrorReason::SubscriptionNotChangeable, why));
    };
    let day = match time {
        ChangeTime::Now => return Ok(ChangeStart::Within(today)),
        ChangeTime::NextBillingDay | ChangeTime::Unspecified => return Ok(ChangeStart::WithBill(next)),
        ChangeTime::OnDay => require_day("on", on)?,
    };
    if to_days(day) < to_days(today) {
        return Err(Error::field("on", "lies in the past"));
    }
    if to_days(day) > to_days(next) {
        return Err(Error::field("on", format!("is after the next billing day, {}", format_day(next))));
    }
    Ok(if day == next { ChangeStart::WithBill(day) } else { ChangeStart::Within(day) })
}

/// The day on which a waiting change begins within the running period.
pub(crate) fn find_change_day(subscription: &Subscription) -> Option<Date> {
    let change = subscription.change.as_ref().filter(|change| change.invoice_id.is_empty())?;
    let (day, next) = (change.effective_on?, subscription.next_bill_on?);
    let waits = subscription.status() == SubscriptionStatus::Active && to_days(day) < to_days(next);
    waits.then_some(day)
}

/// The waiting change that begins with the bill of a day. A change that could not be made within its period does, too.
pub(crate) fn find_due_change(subscription: &Subscription, bill: Date) -> Option<SubscriptionChange> {
    let change = subscription.change.as_ref().filter(|change| change.invoice_id.is_empty())?;
    change.effective_on.is_some_and(|day| to_days(day) <= to_days(bill)).then(|| change.clone())
}

/// Refuses while a change is being paid.
///
/// # Errors
/// `CHANGE_IN_PROGRESS`.
pub(crate) fn check_none_in_progress(subscription: &Subscription) -> Result<()> {
    if subscription.change.as_ref().is_some_and(|change| !change.invoice_id.is_empty()) {
        return Err(Error::new(ErrorReason::ChangeInProgress, "a change of the subscription is being paid"));
    }
    Ok(())
}

/// Refuses a group's administrator for a plan of another person that the group does not pay for, whichever way the request
/// names it.
///
/// # Errors
/// `SUBSCRIPTION_NOT_CHANGEABLE`.
pub(crate) async fn check_paid_by_group(call: &Call, subscription: &Subscription) -> Result<()> {
    let is_others = call.has_role(roles::ADMINISTRATOR) && subscription.owner_id != call.caller().identity;
    if !is_others || !find_paying_group(call, subscription).await?.is_empty() {
        return Ok(());
    }
    Err(Error::new(ErrorReason::SubscriptionNotChangeable, "the group does not pay for the subscription"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::VendorType;
    use pavise_kernel::common::v1::BillingPeriod;

    fn day(day: i32) -> Date {
        Date { year: 2026, month: 4, day }
    }

    fn monthly() -> Subscription {
        Subscription {
            status: SubscriptionStatus::Active.into(),
            vendor: VendorType::Atlas.into(),
            billing_period: BillingPeriod::Monthly.into(),
            billing_frequency: 1,
            bill_cycle_day: 20,
            next_bill_on: Some(day(20)),
            ..Subscription::default()
        }
    }

    #[test]
    fn a_change_begins_now_with_a_bill_or_on_a_day_between() {
        let start = |time, on: Option<Date>| find_start(&monthly(), time, on, day(10));
        assert_eq!(start(ChangeTime::Now, None).unwrap(), ChangeStart::Within(day(10)));
        assert_eq!(start(ChangeTime::NextBillingDay, None).unwrap(), ChangeStart::WithBill(day(20)));
        assert_eq!(start(ChangeTime::OnDay, Some(day(19))).unwrap(), ChangeStart::Within(day(19)));
        assert_eq!(start(ChangeTime::OnDay, Some(day(20))).unwrap(), ChangeStart::WithBill(day(20)));
        for (time, on) in [
            (ChangeTime::Now, Some(day(10))),
            (ChangeTime::OnDay, None),
            (ChangeTime::OnDay, Some(day(9))),
            (ChangeTime::OnDay, Some(day(21))),
            (ChangeTime::OnDay, Some(day(31))),
        ] {
            assert!(start(time, on).is_err(), "{time:?} {on:?}");
        }
        let ending = Subscription { status: SubscriptionStatus::PendingCancel.into(), ..monthly() };
        let refused = find_start(&ending, ChangeTime::NextBillingDay, None, day(10)).unwrap_err();
        assert!(refused.is(ErrorReason::SubscriptionNotChangeable), "an end stays an end");
    }

    #[test]
    fn a_waiting_change_is_taken_up_once_and_in_one_place() {
        let waits = |on: i32, invoice: &str| {
            let change = SubscriptionChange {
                effective_on: Some(day(on)),
                invoice_id: invoice.to_owned(),
                ..SubscriptionChange::default()
            };
            let one = Subscription { change: Some(change), ..monthly() };
            (find_change_day(&one), find_due_change(&one, day(20)).is_some(), check_none_in_progress(&one).is_ok())
        };
        assert_eq!(waits(15, ""), (Some(day(15)), true, true));
        assert_eq!(waits(20, ""), (None, true, true));
        assert_eq!(waits(15, "invoice"), (None, false, false));
    }
}
