//! The next bill of a subscription.

use pavise_kernel::Result;
use pavise_kernel::common::v1::Date;

use super::change_plan::apply_change;
use super::change_start::find_due_change;
use super::period::{Period, find_bills_on};
use super::waiting_prices::apply_waiting_prices;
use crate::contract::v1::Subscription;

/// The bill that comes next.
#[derive(Debug)]
pub(crate) struct NextBill {
    /// The day on which it is made.
    pub(crate) day: Date,
    /// The subscription that it bills, with the waiting change and the new prices that begin with it.
    pub(crate) subscription: Subscription,
    /// The days that it bills.
    pub(crate) period: Period,
}

/// The next bill; none where the platform does not bill the subscription.
///
/// # Errors
/// For a billing period without a calendar.
pub(crate) fn find_next_bill(subscription: &Subscription) -> Result<Option<NextBill>> {
    let Some(day) = find_bills_on(subscription) else { return Ok(None) };
    let mut billed = subscription.clone();
    if let Some(change) = find_due_change(subscription, day) {
        apply_change(&mut billed, &change);
        billed.changed_on = Some(day);
    }
    apply_waiting_prices(&mut billed, day);
    let period = Period::from_day(&billed, day)?;
    Ok(Some(NextBill { day, subscription: billed, period }))
}
