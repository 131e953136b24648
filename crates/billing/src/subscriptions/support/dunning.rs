//! The consequences for a subscription that is not paid: it is suspended, warned and cancelled, or brought back by a payment.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{add_days, to_days};
use pavise_kernel::{Call, Result, Unit};

use super::arrears::is_outstanding;
use super::collection::is_collected;
use super::ending::cancel_unpaid;
use crate::contract::actions::subscription as actions;
use crate::contract::v1::{Invoice, InvoiceStatus, Subscription, SubscriptionStatus, SuspendReason};
use crate::invoices::support::holds::is_held;

/// The days from the suspension to the last warning, and from the last warning to the end.
const STEP_DAYS: i64 = 30;

/// Whether a subscription waits for a payment before it is warned or cancelled.
fn is_dunned(subscription: &Subscription) -> bool {
    subscription.suspended_for() == SuspendReason::Payment
        && matches!(subscription.status(), SubscriptionStatus::Suspended | SubscriptionStatus::Precancel)
}

/// The day of the next step. It counts from the day on which the subscription got its status, so that a member always has
/// these days, however late a step was taken.
pub(crate) fn next_dun_day(subscription: &Subscription, before: Option<&Subscription>, today: Date) -> Option<Date> {
    if !is_dunned(subscription) {
        return None;
    }
    let same = before.filter(|before| is_dunned(before) && before.status == subscription.status);
    let known = same.and_then(|before| before.due_to_dun_on);
    // A hold of an invoice puts it off.
    let put_off = subscription.due_to_dun_on.filter(|_| same.is_some());
    let next = known.into_iter().chain(put_off).max_by_key(|day| to_days(*day));
    Some(next.unwrap_or_else(|| add_days(today, STEP_DAYS)))
}

/// Puts the next step off to a day, in the commit of an invoice that is held. A subscription that is suspended meanwhile is a
/// conflict: then the commit is made again.
pub(crate) async fn put_dunning_off(call: &Call, unit: &mut Unit<'_>, subscription_id: &str, to: Date) -> Result<()> {
    let Some(before) = call.find_unscoped::<Subscription>(subscription_id).await? else { return Ok(()) };
    if before.due_to_dun_on.is_none_or(|day| to_days(day) >= to_days(to)) {
        unit.expect_unchanged(&before);
        return Ok(());
    }
    let after = Subscription { due_to_dun_on: Some(to), ..before.clone() };
    unit.update_as(&before, after, actions::ARREARS_UPDATED)?;
    Ok(())
}

/// Brings a subscription in line with its invoices. Staff who activated one with a DELINQUENT invoice have decided so: it is
/// suspended when the debt begins, and not again. A debt that is held begins when the hold is over.
pub(crate) fn follow_arrears(subscription: &mut Subscription, invoices: &[Invoice], today: Date) {
    let mut delinquent = invoices.iter().filter(|invoice| invoice.status() == InvoiceStatus::Delinquent).peekable();
    if delinquent.peek().is_none() {
        subscription.delinquent_since = None;
    } else if subscription.delinquent_since.is_none() && delinquent.any(|invoice| !is_held(invoice, today)) {
        subscription.delinquent_since = Some(today);
        if is_collected(subscription) {
            suspend_unpaid(subscription, today);
        }
    }
    if subscription.suspended_for() == SuspendReason::Payment && !invoices.iter().any(is_outstanding) {
        match subscription.status() {
            SubscriptionStatus::Suspended | SubscriptionStatus::Precancel => {
                subscription.set_status(SubscriptionStatus::Active);
            }
            // Its end stays. Taken back, it is not suspended any more.
            SubscriptionStatus::PendingCancel => subscription.set_status_before_end(SubscriptionStatus::Active),
            _ => {}
        }
    }
}

/// Suspends a subscription. No way leads there from PRECANCEL: that one was to be cancelled anyhow, and now is.
fn suspend_unpaid(subscription: &mut Subscription, today: Date) {
    match subscription.status() {
        SubscriptionStatus::Active | SubscriptionStatus::CatchingUp => {
            subscription.set_status(SubscriptionStatus::Suspended);
            subscription.set_suspend_reason(SuspendReason::Payment);
            subscription.set_suspended_for(SuspendReason::Payment);
        }
        SubscriptionStatus::Precancel => cancel_unpaid(subscription, today),
        // Suspended by staff, or about to end.
        _ => {}
    }
}

/// The last paid day: the end of the latest period that was paid, with none open before it. It moves back only over a last
/// period that was refunded wholly.
pub(crate) fn find_paid_until(invoices: &[Invoice], known: Option<Date>) -> Option<Date> {
    let open = invoices.iter().filter(|invoice| is_outstanding(invoice)).filter_map(|invoice| invoice.period_from);
    let oldest_open = open.min_by_key(|day| to_days(*day));
    let paid = invoices.iter().filter(|invoice| invoice.status() == InvoiceStatus::Paid);
    let paid = paid.filter_map(|invoice| invoice.period_until);
    let paid = paid.filter(|day| oldest_open.is_none_or(|open| to_days(*day) < to_days(open)));
    paid.chain(known.map(|day| leave_refunded(invoices, day))).max_by_key(|day| to_days(*day))
}

/// The day before the refunded periods that end on that day, one after the other.
fn leave_refunded(invoices: &[Invoice], known: Date) -> Date {
    let mut day = known;
    for _ in invoices {
        let ends = |status: InvoiceStatus| {
            invoices.iter().find(|invoice| invoice.status() == status && invoice.period_until == Some(day))
        };
        let refunded = ends(InvoiceStatus::Refunded).and_then(|invoice| invoice.period_from);
        let Some(from) = refunded.filter(|_| ends(InvoiceStatus::Paid).is_none()) else { break };
        day = add_days(from, -1);
    }
    day
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{CancelReason, Collection};
    use SubscriptionStatus::{Active, Cancelled, CatchingUp, PendingCancel, Precancel, Suspended};

    const TODAY: Date = Date { year: 2026, month: 3, day: 8 };

    fn invoice(status: InvoiceStatus, month: i32) -> Invoice {
        Invoice {
            status: status.into(),
            period_from: Some(Date { year: 2026, month, day: 1 }),
            period_until: Some(Date { year: 2026, month, day: 28 }),
            ..Invoice::default()
        }
    }

    fn follow(mut subscription: Subscription, invoices: &[Invoice]) -> Subscription {
        follow_arrears(&mut subscription, invoices, TODAY);
        subscription
    }

    fn stands(status: SubscriptionStatus) -> Subscription {
        Subscription { status: status.into(), ..Subscription::default() }
    }

    #[test]
    fn a_delinquent_invoice_suspends_and_the_last_settlement_brings_back() {
        let late = [invoice(InvoiceStatus::Delinquent, 3), invoice(InvoiceStatus::Failed, 2)];
        for status in [Active, CatchingUp] {
            let suspended = follow(stands(status), &late);
            assert_eq!((suspended.status(), suspended.suspended_for()), (Suspended, SuspendReason::Payment));
            assert_eq!((suspended.suspend_reason(), suspended.delinquent_since), (SuspendReason::Payment, Some(TODAY)));
            let half = follow(suspended.clone(), &[invoice(InvoiceStatus::Paid, 3), invoice(InvoiceStatus::Failed, 2)]);
            assert_eq!((half.status(), half.delinquent_since), (Suspended, None), "one is open");
            let settled = [invoice(InvoiceStatus::Forgiven, 3), invoice(InvoiceStatus::Paid, 2)];
            assert_eq!(follow(half, &settled).status(), Active);
            let warned = Subscription { status: Precancel.into(), ..suspended };
            assert_eq!(follow(warned, &settled).status(), Active);
        }
    }

    #[test]
    fn what_others_decided_stays() {
        let (late, settled) = ([invoice(InvoiceStatus::Delinquent, 3)], [invoice(InvoiceStatus::Paid, 3)]);
        let by_staff = follow(stands(Suspended), &late);
        assert_eq!((by_staff.status(), by_staff.suspended_for()), (Suspended, SuspendReason::Unspecified));
        assert_eq!(follow(by_staff, &settled).status(), Suspended);
        let announced = follow(stands(Precancel), &late);
        assert_eq!((announced.status(), announced.cancel_reason()), (Cancelled, CancelReason::Reinstate));
        assert_eq!((announced.cancelled_on, announced.ends_plans), (Some(TODAY), true));
        assert_eq!(follow(stands(PendingCancel), &late).status(), PendingCancel);
        // Staff let the member use the plan in spite of the debt.
        let allowed = Subscription { delinquent_since: Some(TODAY), ..stands(Active) };
        assert_eq!(follow(allowed, &late).status(), Active);
        let held = Invoice { held_until: Some(TODAY), ..late[0].clone() };
        let waits = follow(stands(Active), std::slice::from_ref(&held));
        assert_eq!((waits.status(), waits.delinquent_since), (Active, None), "the promised day is not over");
        assert_eq!(follow(stands(Precancel), std::slice::from_ref(&held)).status(), Precancel);
        let over = Invoice { held_until: Some(add_days(TODAY, -1)), ..held.clone() };
        assert_eq!(follow(stands(Active), &[over]).status(), Suspended);
        assert_eq!(follow(stands(Active), &[held, late[0].clone()]).status(), Suspended, "the other one is not held");
        let of_group = Subscription { collection: Collection::Group.into(), ..stands(Active) };
        assert_eq!(follow(of_group, &late).status(), Active);
    }

    #[test]
    fn each_step_leaves_thirty_days() {
        let suspended = Subscription { suspended_for: SuspendReason::Payment.into(), ..stands(Suspended) };
        assert_eq!(next_dun_day(&suspended, Some(&stands(Active)), TODAY), Some(add_days(TODAY, 30)));
        let known = Subscription { due_to_dun_on: Some(TODAY), ..suspended.clone() };
        assert_eq!(next_dun_day(&suspended, Some(&known), add_days(TODAY, 9)), Some(TODAY), "another change keeps it");
        let held = Subscription { due_to_dun_on: Some(add_days(TODAY, 5)), ..suspended.clone() };
        assert_eq!(next_dun_day(&held, Some(&known), TODAY), Some(add_days(TODAY, 5)), "a hold puts it off");
        let warned = Subscription { status: Precancel.into(), ..suspended };
        let late = add_days(TODAY, 44);
        assert_eq!(next_dun_day(&warned, Some(&known), late), Some(add_days(late, 30)), "a late warning is one, too");
        assert_eq!(next_dun_day(&stands(Suspended), None, TODAY), None, "staff suspended it");
    }

    #[test]
    fn the_paid_day_follows_the_periods_in_their_order() {
        let until = |month: i32| Some(Date { year: 2026, month, day: 28 });
        let [feb, march] = [2, 3].map(|month| invoice(InvoiceStatus::Paid, month));
        assert_eq!(find_paid_until(&[march.clone(), feb], until(1)), until(3));
        assert_eq!(find_paid_until(&[march.clone(), invoice(InvoiceStatus::Failed, 2)], until(1)), until(1));
        assert_eq!(find_paid_until(&[march, invoice(InvoiceStatus::Voided, 2)], until(1)), until(3));
        assert_eq!(find_paid_until(&[invoice(InvoiceStatus::Paid, 1)], until(2)), until(2), "never back");
        assert_eq!(find_paid_until(&[], None), None);
        let refunded = [3, 2].map(|month| invoice(InvoiceStatus::Refunded, month));
        let first = |month: i32| Some(Date { year: 2026, month, day: 1 });
        assert_eq!(find_paid_until(&refunded[..1], until(3)), first(3).map(|day| add_days(day, -1)));
        assert_eq!(find_paid_until(&refunded[..1], until(4)), until(4), "it is not the last period");
        let other = [invoice(InvoiceStatus::Paid, 3), refunded[0].clone()];
        assert_eq!(find_paid_until(&other, until(3)), until(3), "a change of it was refunded, and not the period");
    }
}
