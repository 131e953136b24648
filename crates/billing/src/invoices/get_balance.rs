//! Answers what a member owes and what is charged next.

use std::collections::BTreeMap;

use pavise_kernel::common::v1::{Date, Money};
use pavise_kernel::time::to_days;
use pavise_kernel::{Call, Result};

use super::support::next_charge::{ComingBill, find_coming_bill, find_next_charges};
use super::support::outstanding::load_outstanding;
use crate::contract::lookups::subscription as lookups;
use crate::contract::v1::{
    Balance, Credit, GetBalanceRequest, GetBalanceResponse, Invoice, Subscription, SubscriptionStatus,
};
use crate::credits::support::ledger::left_of;
use crate::credits::support::taking::{is_usable, load_open};
use crate::shared::money;
use crate::shared::pages::{check_member_is_named, load_all};

/// The statuses in which a subscription is billed.
const BILLED: [SubscriptionStatus; 3] =
    [SubscriptionStatus::Active, SubscriptionStatus::CatchingUp, SubscriptionStatus::Precancel];

pub(crate) async fn get_balance(call: &Call, request: GetBalanceRequest) -> Result<GetBalanceResponse> {
    check_member_is_named(call, &request.identity_id)?;
    let invoices = load_outstanding(call).await?;
    let mut credits = load_open(call, call.owner()).await?;
    // A credit of a group lowers what the group pays.
    credits.retain(|credit| credit.group_id.is_empty());
    let mut bills = Vec::new();
    for subscription in load_billed(call).await? {
        bills.extend(find_coming_bill(call, subscription).await?);
    }
    Ok(GetBalanceResponse { balances: sum_up(&invoices, &credits, bills, call.today()) })
}

/// Loads the subscriptions of the member that are billed.
async fn load_billed(call: &Call) -> Result<Vec<Subscription>> {
    load_all(call, &BILLED.map(|status| (lookups::STATUS, status.spelling().to_owned()))).await
}

/// The balance in each currency.
fn sum_up(invoices: &[Invoice], credits: &[Credit], bills: Vec<ComingBill>, today: Date) -> Vec<Balance> {
    let mut balances: BTreeMap<i32, Balance> = BTreeMap::new();
    for invoice in invoices {
        let open = money::to_minor_units(invoice.open_amount.as_ref());
        let is_overdue = invoice.due_on.is_some_and(|day| to_days(day) < to_days(today));
        let balance = balance_in(&mut balances, invoice.currency);
        add_to(&mut balance.owed, open);
        add_to(&mut balance.overdue, if is_overdue { open } else { 0 });
    }
    for credit in credits {
        let currency = credit.amount.map_or(0, |amount| amount.currency);
        if is_usable(credit, currency, today) {
            add_to(&mut balance_in(&mut balances, currency).credit, left_of(credit));
        }
    }
    for (currency, (day, amount)) in find_next_charges(bills, credits) {
        let balance = balance_in(&mut balances, currency);
        balance.next_charge_on = Some(day);
        balance.next_charge = Some(Money { currency, amount });
    }
    balances.into_values().collect()
}

fn balance_in(balances: &mut BTreeMap<i32, Balance>, currency: i32) -> &mut Balance {
    let zero = Some(Money { currency, amount: 0 });
    balances.entry(currency).or_insert_with(|| Balance {
        currency,
        owed: zero,
        overdue: zero,
        credit: zero,
        next_charge: zero,
        next_charge_on: None,
    })
}

fn add_to(sum: &mut Option<Money>, amount: i64) {
    if let Some(sum) = sum {
        sum.amount = sum.amount.saturating_add(amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: Date = Date { year: 2026, month: 3, day: 10 };

    fn usd(amount: i64) -> Option<Money> {
        Some(Money { currency: 1, amount })
    }

    fn owed(amount: i64, due: i32) -> Invoice {
        Invoice {
            currency: 1,
            open_amount: usd(amount),
            due_on: Some(Date { day: due, ..TODAY }),
            ..Invoice::default()
        }
    }

    #[test]
    fn a_debt_is_overdue_on_the_day_after_its_due_day() {
        let balances = sum_up(&[owed(100, 10), owed(30, 9)], &[], Vec::new(), TODAY);
        let [balance] = <[Balance; 1]>::try_from(balances).unwrap();
        assert_eq!((balance.owed, balance.overdue, balance.next_charge_on), (usd(130), usd(30), None));
    }

    #[test]
    fn a_credit_counts_until_its_last_day_and_lowers_the_next_charge() {
        let credit = |left: i64, last: Option<i32>| Credit {
            amount: usd(1000),
            left: usd(left),
            last_day: last.map(|day| Date { day, ..TODAY }),
            ..Credit::default()
        };
        let bill = ComingBill { day: Date { day: 20, ..TODAY }, currency: 1, total: 500, is_charged: true };
        let credits = [credit(300, None), credit(40, Some(10)), credit(2, Some(9))];
        let [balance] = <[Balance; 1]>::try_from(sum_up(&[], &credits, vec![bill], TODAY)).unwrap();
        assert_eq!((balance.credit, balance.next_charge, balance.owed), (usd(340), usd(200), usd(0)));
    }
}
