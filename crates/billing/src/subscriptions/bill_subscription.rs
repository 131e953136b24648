//! Bills the period of a subscription whose day has come.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::to_days;
use pavise_kernel::{Call, Error, Result};

use super::support::arrears::{is_outstanding, load_newest};
use super::support::change_start::check_none_in_progress;
use super::support::collection::find_collection;
use super::support::days::format_day;
use super::support::discounts::use_discounts;
use super::support::new_invoice::{PeriodBill, build_period_bill};
use super::support::next_bill::{NextBill, find_next_bill};
use super::support::period::find_bills_on;
use super::support::waiting_prices::drop_withdrawn_prices;
use crate::contract::actions::{invoice as invoice_actions, subscription as actions};
use crate::contract::v1::{
    BillSubscriptionRequest, Collection, ErrorReason, Invoice, InvoiceStatus, Subscription, SubscriptionStatus,
};
use crate::credits::support::taking::write_taken;
use crate::shared::retry::retry_contention;

/// Raises the invoice of the due period and moves the billing day, in one commit: a repeat finds the next period.
pub(crate) async fn bill_subscription(call: &Call, request: BillSubscriptionRequest) -> Result<Subscription> {
    retry_contention(call, || bill_period(call, &request.subscription_id)).await
}

async fn bill_period(call: &Call, id: &str) -> Result<Subscription> {
    let before: Subscription = call.get(id).await?;
    let mut after = before.clone();
    if before.collection() == Collection::Unspecified {
        after.set_collection(find_collection(call, &before).await?);
    }
    if find_bills_on(&after).is_some_and(|day| to_days(day) <= to_days(call.today())) {
        drop_withdrawn_prices(call, &mut after).await?;
    }
    let due = find_next_bill(&after)?.filter(|bill| to_days(bill.day) <= to_days(call.today()));
    let Some(NextBill { day, subscription, period }) = due else { return leave_unbilled(call, before, after).await };
    if check_none_in_progress(&before).is_err() {
        // Its outcome says what the period costs, and when it begins.
        return leave_unbilled(call, before, after).await;
    }
    let invoices = load_newest(call, id).await?;
    if invoices.iter().any(|invoice| invoice.status() == InvoiceStatus::Delinquent) {
        after.delinquent_since = Some(call.today());
        return leave_unbilled(call, before, after).await;
    }
    check_unbilled(&invoices, day)?;
    after = subscription;
    if after.idempotent_key.is_empty() {
        after.idempotent_key = format!("{id}/{}", format_day(day));
    }
    let PeriodBill { invoice, taken } = build_period_bill(call, &after, &period).await?;
    let open = invoices.iter().chain([&invoice]).filter(|invoice| is_outstanding(invoice)).count();
    if open > 1 && after.status() == SubscriptionStatus::Active {
        after.set_status(SubscriptionStatus::CatchingUp);
    }
    if invoice.status() == InvoiceStatus::Paid && open == 0 {
        after.paid_to_date = Some(period.until);
    }
    after.next_bill_on = Some(period.next);
    use_discounts(&mut after.discounts);
    after.idempotent_key = call.new_id();
    let mut unit = call.unit();
    unit.create_as(invoice, invoice_actions::CREATED)?;
    write_taken(&mut unit, taken)?;
    let after = unit.update(&before, after)?;
    unit.commit_answer(after).await
}

/// Answers a subscription that is not billed, with what was found out about it.
async fn leave_unbilled(call: &Call, before: Subscription, after: Subscription) -> Result<Subscription> {
    if after == before {
        return call.answer_unchanged(before).await;
    }
    let mut unit = call.unit();
    let after = unit.update_as(&before, after, actions::ARREARS_UPDATED)?;
    unit.commit_answer(after).await
}

/// Refuses a day that an invoice bills already. Staff may have moved the billing day back too far.
fn check_unbilled(invoices: &[Invoice], day: Date) -> Result<()> {
    let bills = |invoice: &&Invoice| {
        let within = invoice.period_from.zip(invoice.period_until);
        let within = within.is_some_and(|(from, until)| (to_days(from)..=to_days(until)).contains(&to_days(day)));
        within && invoice.status() != InvoiceStatus::Voided
    };
    let Some(known) = invoices.iter().find(bills) else { return Ok(()) };
    let message = format!(
        "the invoice {} bills {} already: void it, or move the next billing day",
        known.number,
        format_day(day)
    );
    Err(Error::new(ErrorReason::PeriodBilledBefore, message).with("invoice_id", known.id.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_billed_once_unless_its_invoice_was_voided() {
        let day = |day: i32| Date { year: 2026, month: 2, day };
        let billed = |status: InvoiceStatus| Invoice {
            status: status.into(),
            period_from: Some(day(1)),
            period_until: Some(day(28)),
            ..Invoice::default()
        };
        for status in [InvoiceStatus::Paid, InvoiceStatus::Active, InvoiceStatus::Forgiven] {
            let refused = check_unbilled(&[billed(status)], day(28)).unwrap_err();
            assert!(refused.is(ErrorReason::PeriodBilledBefore), "{status:?}");
        }
        check_unbilled(&[billed(InvoiceStatus::Voided)], day(1)).unwrap();
        check_unbilled(&[billed(InvoiceStatus::Paid)], Date { month: 3, ..day(1) }).unwrap();
        check_unbilled(&[Invoice::default()], day(1)).unwrap();
    }
}
