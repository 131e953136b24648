//! The next charge of a member: the bills of the first day on which the platform charges one, less the credits that they
//! take.
//!
//! The bills are made by the code that makes them on their day, so that both say the same.

use std::collections::BTreeMap;

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::to_days;
use pavise_kernel::{Call, Result};

use super::sums::Sums;
use crate::contract::v1::{Collection, Credit, Invoice, Subscription};
use crate::credits::support::ledger::left_of;
use crate::credits::support::taking::is_usable;
use crate::shared::money;
use crate::subscriptions::support::change_plan::{ChangePlan, plan_change};
use crate::subscriptions::support::change_start::find_change_day;
use crate::subscriptions::support::collection::find_collection;
use crate::subscriptions::support::last_days::sum_credits;
use crate::subscriptions::support::new_invoice::build_charges;
use crate::subscriptions::support::next_bill::find_next_bill;
use crate::subscriptions::support::waiting_prices::drop_withdrawn_prices;

/// A bill that will be made by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ComingBill {
    /// Its day.
    pub(crate) day: Date,
    /// Its currency.
    pub(crate) currency: i32,
    /// Its total before the credits of the member, in minor units.
    pub(crate) total: i64,
    /// Whether the platform charges it. Otherwise it is sent, and the member pays it.
    pub(crate) is_charged: bool,
}

/// The next bill of a subscription: that of a change which waits for a day before the next billing day, else that of the
/// next period. None where the platform does not bill the subscription, or cannot before its place is corrected.
///
/// # Errors
/// When the database or the tax service does not answer.
pub(crate) async fn find_coming_bill(call: &Call, mut subscription: Subscription) -> Result<Option<ComingBill>> {
    if subscription.collection() == Collection::Unspecified {
        let collection = find_collection(call, &subscription).await?;
        subscription.set_collection(collection);
    }
    drop_withdrawn_prices(call, &mut subscription).await?;
    let mut given = 0;
    if let Some(plan) = plan_waiting_change(call, &subscription).await? {
        let total = total_before_credits(&plan.invoice);
        if total > 0 {
            let (day, currency) = (plan.invoice.period_from.unwrap_or_else(|| call.today()), plan.invoice.currency);
            return Ok(Some(ComingBill { day, currency, total, is_charged: true }));
        }
        given = sum_credits(&plan.credits);
        subscription = plan.after;
    }
    let Some(bill) = find_next_bill(&subscription)? else { return Ok(None) };
    let invoice = match build_charges(call, &bill.subscription, &bill.period).await {
        Ok(invoice) => invoice,
        Err(error) if error.is_transient() => return Err(error),
        Err(_) => return Ok(None),
    };
    let coming = ComingBill {
        day: bill.day,
        currency: invoice.currency,
        total: Sums::of(&invoice).total.saturating_sub(given).max(0),
        is_charged: subscription.collection() != Collection::ByInvoice,
    };
    Ok((!invoice.items.is_empty()).then_some(coming))
}

/// The plan of a change that waits for a day of the running period. One that cannot be made then begins with the next bill.
async fn plan_waiting_change(call: &Call, subscription: &Subscription) -> Result<Option<ChangePlan>> {
    let Some((day, change)) = find_change_day(subscription).zip(subscription.change.as_ref()) else { return Ok(None) };
    match plan_change(call, subscription, change, day, &call.new_id()).await {
        Ok(plan) => Ok(Some(plan)),
        Err(error) if error.is_transient() => Err(error),
        Err(_) => Ok(None),
    }
}

/// The total of an invoice without the credits that it would take today.
fn total_before_credits(invoice: &Invoice) -> i64 {
    let charged = invoice.items.iter().filter(|item| item.credit_id.is_empty());
    charged.fold(0_i64, |sum, item| sum.saturating_add(money::to_minor_units(item.amount.as_ref())))
}

/// The day and the amount of the next charge in each currency. Each bill takes what is left of the credits, the oldest
/// first, in the order of their days.
pub(crate) fn find_next_charges(mut bills: Vec<ComingBill>, credits: &[Credit]) -> BTreeMap<i32, (Date, i64)> {
    bills.sort_by_key(|bill| to_days(bill.day));
    let mut lefts: Vec<(&Credit, i64)> = credits.iter().map(|credit| (credit, left_of(credit))).collect();
    let mut charges: BTreeMap<i32, (Date, i64)> = BTreeMap::new();
    for bill in bills {
        if charges.get(&bill.currency).is_some_and(|(day, _)| *day != bill.day) {
            continue;
        }
        let mut open = bill.total;
        for (credit, left) in &mut lefts {
            if is_usable(credit, bill.currency, bill.day) {
                let taken = open.min(*left);
                open = open.saturating_sub(taken);
                *left = left.saturating_sub(taken);
            }
        }
        if bill.is_charged {
            let sum = &mut charges.entry(bill.currency).or_insert((bill.day, 0)).1;
            *sum = sum.saturating_add(open);
        }
    }
    charges
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Money;

    fn day(day: i32) -> Date {
        Date { year: 2026, month: 3, day }
    }

    fn bill(on: i32, total: i64) -> ComingBill {
        ComingBill { day: day(on), currency: 1, total, is_charged: true }
    }

    fn credit(left: i64, last: Option<i32>) -> Credit {
        let amount = Some(Money { currency: 1, amount: left });
        Credit { amount, left: amount, last_day: last.map(day), ..Credit::default() }
    }

    fn next(bills: &[ComingBill], credits: &[Credit]) -> Option<(i32, i64)> {
        find_next_charges(bills.to_vec(), credits).get(&1).map(|(day, amount)| (day.day, *amount))
    }

    #[test]
    fn the_next_charge_is_all_that_is_charged_on_the_earliest_day() {
        let sent = ComingBill { is_charged: false, ..bill(10, 900) };
        assert_eq!(next(&[bill(20, 500), bill(15, 200), sent, bill(15, 300)], &[]), Some((15, 500)));
        assert_eq!(next(&[sent], &[]), None, "an invoice that is sent is not charged");
        let canadian = ComingBill { currency: 2, ..bill(12, 1) };
        let both = BTreeMap::from([(1, (day(15), 2)), (2, (day(12), 1))]);
        assert_eq!(find_next_charges(vec![canadian, bill(15, 2)], &[]), both);
    }

    #[test]
    fn credits_lower_the_bills_in_the_order_of_their_days() {
        let sent = ComingBill { is_charged: false, ..bill(10, 300) };
        assert_eq!(next(&[bill(15, 500)], &[credit(200, None)]), Some((15, 300)));
        assert_eq!(next(&[bill(15, 500), sent], &[credit(400, None)]), Some((15, 400)), "the earlier bill took 300");
        assert_eq!(next(&[bill(15, 500)], &[credit(200, Some(14)), credit(50, Some(15))]), Some((15, 450)));
        assert_eq!(next(&[bill(15, 500)], &[credit(900, None)]), Some((15, 0)), "it will be over nothing");
    }
}
