//! Shows what a change of a subscription would cost.

use pavise_kernel::common::v1::{Date, Money};
use pavise_kernel::{Call, Result};

use super::support::catalog_prices::price_items;
use super::support::change_plan::{apply_change, build_bill_with, complete_change, plan_change};
use super::support::change_start::{ChangeStart, check_none_in_progress, check_paid_by_group, find_start};
use super::support::discounts::use_discounts;
use super::support::end_at_once::{choose_unused_days, plan_end};
use super::support::new_invoice::build_charges;
use super::support::period::Period;
use super::support::waiting_prices::{apply_waiting_prices, drop_withdrawn_prices};
use crate::contract::v1::{PreviewSubscriptionRequest, Subscription, SubscriptionPreview};

/// Computes the change as UpdateSubscriptionOffer commits it, and writes nothing.
pub(crate) async fn preview_subscription(
    call: &Call,
    request: PreviewSubscriptionRequest,
) -> Result<SubscriptionPreview> {
    let mut before: Subscription = call.get(&request.subscription_id).await?;
    check_paid_by_group(call, &before).await?;
    check_none_in_progress(&before)?;
    if request.end {
        let given = choose_unused_days(call, request.unused_days())?;
        let plan = plan_end(call, &before, given).await?;
        return Ok(SubscriptionPreview {
            effective_on: Some(call.today()),
            total: Some(plan.total()),
            refund: plan.refund(),
            unused_days: plan.given.into(),
            credit: plan.credit(),
            ..SubscriptionPreview::default()
        });
    }
    drop_withdrawn_prices(call, &mut before).await?;
    let items = price_items(call, &before, &request.offer_id, &request.items, request.billing_period()).await?;
    let change = complete_change(&before, &request.offer_id, &items, request.billing_period())?;
    let start = find_start(&before, request.time(), request.on, call.today())?;
    let (invoice, credit, total, after) = match start {
        ChangeStart::Within(on) => {
            let plan = plan_change(call, &before, &change, on, &call.new_id()).await?;
            let (credit, total) = (plan.credit(), plan.total());
            (plan.invoice, credit, Some(total), plan.after)
        }
        ChangeStart::WithBill(day) => {
            let bill = build_bill_with(call, &before, &change, day).await?;
            let mut after = before.clone();
            apply_change(&mut after, &change);
            apply_waiting_prices(&mut after, day);
            after.next_bill_on = Some(Period::from_day(&after, day)?.next);
            use_discounts(&mut after.discounts);
            let total = bill.invoice.total;
            (bill.invoice, None, total, after)
        }
    };
    let next_total = match after.next_bill_on {
        Some(next) => find_next_total(call, &after, next).await?,
        None => None,
    };
    Ok(SubscriptionPreview {
        effective_on: Some(start.day()),
        invoice: Some(invoice),
        credit,
        total,
        next_bill_on: after.next_bill_on,
        next_total,
        ..SubscriptionPreview::default()
    })
}

/// The total of the bill after the change, without the credits of the member.
async fn find_next_total(call: &Call, after: &Subscription, next: Date) -> Result<Option<Money>> {
    let mut billed = after.clone();
    apply_waiting_prices(&mut billed, next);
    let period = Period::from_day(&billed, next)?;
    Ok(build_charges(call, &billed, &period).await?.total)
}
