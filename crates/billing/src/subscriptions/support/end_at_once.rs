//! The use of the paid days that are left when a subscription is ended at once.

use pavise_kernel::common::v1::{Currency, Date, Money};
use pavise_kernel::time::to_days;
use pavise_kernel::{Call, Common, Error, Result};

use super::arrears::load_newest;
use super::billing_day::next_billing_day;
use super::change_plan::{UnusedCharges, currency_of, find_unused, is_of_change, load_order_invoice};
use super::collection::is_collected;
use super::last_days::sum_credits;
use crate::contract::v1::{
    Credit, CreditReason, DisputeStatus, Invoice, InvoiceStatus, Subscription, UnusedDays, VendorType,
};
use crate::invoices::support::give_back::{begin_refunds, build_credit};
use crate::shared::money;
use crate::shared::tools::Tools as _;

/// An end at once that is not committed.
#[derive(Debug)]
pub(crate) struct EndPlan {
    currency: Currency,
    refunded: i64,
    /// The use of the days.
    pub(crate) given: UnusedDays,
    /// The credits: none, one, or one more for each last day of credits that had paid for the days.
    pub(crate) credits: Vec<Credit>,
    /// The invoices on which refunds begin, before and after.
    pub(crate) invoices: Vec<(Invoice, Invoice)>,
}

impl EndPlan {
    /// The amount that goes back to where the money came from; none where nothing does.
    pub(crate) fn refund(&self) -> Option<Money> {
        (self.refunded > 0).then(|| Money { currency: self.currency.into(), amount: self.refunded })
    }

    /// The sum of the credits, if there are any.
    pub(crate) fn credit(&self) -> Option<Money> {
        let amount = sum_credits(&self.credits);
        (amount > 0).then(|| Money { currency: self.currency.into(), amount })
    }

    /// The worth for the member, as an amount below zero.
    pub(crate) fn total(&self) -> Money {
        let given = self.refunded.saturating_add(sum_credits(&self.credits));
        Money { currency: self.currency.into(), amount: given.saturating_neg() }
    }
}

/// Chooses the use of the days: the caller's choice, or else the platform's setting.
///
/// # Errors
/// When the domain has no settings, which its start rules out.
pub(crate) fn choose_unused_days(call: &Call, wanted: UnusedDays) -> Result<UnusedDays> {
    let set = call.config()?.unused_days;
    Ok(match (wanted, set) {
        (UnusedDays::Unspecified, UnusedDays::Unspecified) => UnusedDays::Nothing,
        (UnusedDays::Unspecified, set) => set,
        (wanted, _) => wanted,
    })
}

/// Refuses another choice than the platform's setting without the permission.
///
/// # Errors
/// `PERMISSION_MISSING`.
pub(crate) fn check_choice(wanted: UnusedDays, set: UnusedDays, gives_back: bool) -> Result<()> {
    if gives_back || [UnusedDays::Unspecified, set].contains(&wanted) {
        return Ok(());
    }
    let message = format!(
        "unused days give {} here; another choice takes the permission billing.subscriptions.give_back",
        set.spelling()
    );
    Err(Error::new(Common::PermissionMissing, message))
}

/// Plans an end today: refunds of the invoices that paid the period, the newest first, and a credit for the rest. Where nothing
/// was paid for the days, or a payment for them is disputed, they give nothing.
///
/// # Errors
/// `PAYMENT_IN_PROGRESS`; when the database does not answer.
pub(crate) async fn plan_end(call: &Call, subscription: &Subscription, given: UnusedDays) -> Result<EndPlan> {
    let currency = currency_of(&subscription.items);
    let mut plan = EndPlan { currency, refunded: 0, given, credits: Vec::new(), invoices: Vec::new() };
    if ![UnusedDays::Credit, UnusedDays::Refund].contains(&given) || !has_paid_days(call, subscription) {
        return Ok(plan);
    }
    let today = call.today();
    let invoices = load_newest(call, &subscription.id).await?;
    let UnusedCharges { items: unused, group_id, paid_with } =
        find_unused(call, subscription, &invoices, today).await?;
    let amounts = unused.iter().map(|item| money::to_minor_units(item.amount.as_ref()));
    let worth = amounts.fold(0_i64, i64::saturating_sub);
    if worth < 1 {
        return Ok(plan);
    }
    let mut rest = worth;
    let payers = list_payers(call, subscription, invoices, today).await?;
    if payers.iter().any(is_disputed) {
        return Ok(plan);
    }
    // A credit names the invoice that paid: it is used up if all of that goes back later.
    let paid_by = payers.first().map(|invoice| invoice.id.clone()).unwrap_or_default();
    if given == UnusedDays::Refund {
        for before in payers {
            let mut after = before.clone();
            rest = begin_refunds(call, &mut after, rest)?;
            if after != before {
                plan.invoices.push((before, after));
            }
        }
    }
    plan.refunded = worth.saturating_sub(rest);
    if rest > 0 {
        let amount = Money { currency: currency.into(), amount: rest };
        let credit = build_credit(call.new_id(), &subscription.owner_id, &paid_by, amount);
        let credit = Credit { reason: CreditReason::PlanEnd.into(), group_id, ..credit };
        plan.credits = paid_with.split_credit(credit, worth, || call.new_id());
    }
    Ok(plan)
}

/// Whether today is a day that was paid for here.
fn has_paid_days(call: &Call, subscription: &Subscription) -> bool {
    let today = call.today();
    let is_within = subscription.next_bill_on.is_some_and(|next| to_days(today) < to_days(next));
    let is_paid = subscription.paid_to_date.is_some_and(|paid| to_days(today) <= to_days(paid));
    let is_paid_here = subscription.vendor() == VendorType::Atlas && is_collected(subscription);
    let (period, frequency) = (subscription.billing_period(), subscription.billing_frequency);
    let has_calendar = next_billing_day(today, period, frequency, subscription.bill_cycle_day).is_some();
    is_within && is_paid && is_paid_here && has_calendar
}

/// The invoices that paid for today, the newest first. The first period was paid with the order.
async fn list_payers(
    call: &Call,
    subscription: &Subscription,
    invoices: Vec<Invoice>,
    today: Date,
) -> Result<Vec<Invoice>> {
    let mut payers: Vec<Invoice> = invoices.into_iter().filter(|invoice| pays_for(invoice, today)).collect();
    payers.sort_by(|one, other| other.id.cmp(&one.id));
    if payers.iter().all(is_of_change)
        && let Some(order) = load_order_invoice(call, subscription).await?
    {
        payers.push(order);
    }
    Ok(payers)
}

/// Whether the bank may still give the money of an invoice back to the member. It is not given back a second time.
fn is_disputed(invoice: &Invoice) -> bool {
    invoice.dispute_status() == DisputeStatus::Open
}

fn pays_for(invoice: &Invoice, day: Date) -> bool {
    let (Some(from), Some(until)) = (invoice.period_from, invoice.period_until) else { return false };
    let days = to_days(from)..=to_days(until);
    invoice.status() == InvoiceStatus::Paid && days.contains(&to_days(day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_choice_than_the_setting_takes_the_permission() {
        use UnusedDays::{Credit, Nothing, Refund, Unspecified};
        for set in [Nothing, Credit, Refund] {
            for wanted in [Unspecified, Nothing, Credit, Refund] {
                check_choice(wanted, set, true).unwrap();
                let without = check_choice(wanted, set, false);
                assert_eq!(without.is_ok(), wanted == Unspecified || wanted == set, "{wanted:?} {set:?}");
            }
        }
        assert!(check_choice(Refund, Nothing, false).unwrap_err().is(Common::PermissionMissing));
    }

    #[test]
    fn only_an_open_dispute_keeps_the_money_back() {
        let disputed = |status: DisputeStatus| Invoice { dispute_status: status.into(), ..Invoice::default() };
        assert!(is_disputed(&disputed(DisputeStatus::Open)));
        assert!(!is_disputed(&disputed(DisputeStatus::Won)) && !is_disputed(&Invoice::default()));
    }

    #[test]
    fn only_a_paid_invoice_of_the_day_is_refunded() {
        let day = |day: i32| Date { year: 2026, month: 4, day };
        let april = Invoice {
            status: InvoiceStatus::Paid.into(),
            period_from: Some(day(1)),
            period_until: Some(day(30)),
            ..Invoice::default()
        };
        assert!(pays_for(&april, day(1)) && pays_for(&april, day(30)));
        assert!(!pays_for(&april, Date { month: 5, ..day(1) }));
        assert!(!pays_for(&Invoice { status: InvoiceStatus::Failed.into(), ..april.clone() }, day(1)));
        assert!(!pays_for(&Invoice { period_from: None, ..april }, day(1)));
    }
}
