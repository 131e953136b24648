//! The statement of an account: pure sums over the entries of its invoices.

use std::collections::BTreeMap;

use pavise_kernel::common::v1::{Date, Money};
use pavise_kernel::time::{Micros, from_days, to_date, to_days, to_micros};

use super::entries::{AccountEntry, list_entries, signed_amount};
use crate::contract::v1::{Invoice, Statement, StatementEntry, StatementEntryType, StatementPart};

/// The most days of a statement: two years.
pub(crate) const MOST_DAYS: i64 = 731;

/// The key of the entries of one invoice on one day, by their kind. The map's order is that of a statement.
type Key<'a> = (i64, Micros, &'a str, i32);

#[derive(Default)]
struct Account<'a> {
    opening: i64,
    amounts: BTreeMap<Key<'a>, (i64, &'a Invoice)>,
}

/// The statement over these invoices from one day to another.
pub(crate) fn build_statement(invoices: &[Invoice], from: Date, to: Date) -> Statement {
    let (first, last) = (to_days(from), to_days(to));
    let mut accounts: BTreeMap<i32, Account<'_>> = BTreeMap::new();
    for invoice in invoices {
        for AccountEntry { at, kind, amount } in list_entries(invoice) {
            let day = to_days(to_date(at));
            if day > last {
                continue;
            }
            let account = accounts.entry(invoice.currency).or_default();
            if day < first {
                account.opening = account.opening.saturating_add(signed_amount(kind, amount));
                continue;
            }
            let raised = invoice.created_at.as_ref().map_or(0, to_micros);
            let place =
                account.amounts.entry((day, raised, invoice.id.as_str(), i32::from(kind))).or_insert((0, invoice));
            place.0 = place.0.saturating_add(amount);
        }
    }
    let parts = accounts.into_iter().filter(|(_, account)| account.opening != 0 || !account.amounts.is_empty());
    Statement {
        from: Some(from),
        to: Some(to),
        parts: parts.map(|(currency, part)| build_part(currency, part)).collect(),
    }
}

fn build_part(currency: i32, account: Account<'_>) -> StatementPart {
    let money = |amount: i64| Some(Money { currency, amount });
    let mut balance = account.opening;
    let mut sums: BTreeMap<StatementEntryType, i64> = BTreeMap::new();
    let mut entries = Vec::with_capacity(account.amounts.len());
    for ((day, _, _, kind), (amount, invoice)) in account.amounts {
        let kind = StatementEntryType::try_from(kind).unwrap_or_default();
        balance = balance.saturating_add(signed_amount(kind, amount));
        let sum = sums.entry(kind).or_default();
        *sum = sum.saturating_add(amount);
        entries.push(StatementEntry {
            on: Some(from_days(day)),
            r#type: kind.into(),
            invoice_id: invoice.id.clone(),
            number: invoice.number.clone(),
            amount: money(amount),
            balance: money(balance),
        });
    }
    let sum = |kind: StatementEntryType| money(sums.get(&kind).copied().unwrap_or_default());
    StatementPart {
        currency,
        opening: money(account.opening),
        charges: sum(StatementEntryType::Charge),
        payments: sum(StatementEntryType::Payment),
        credits: sum(StatementEntryType::Credit),
        refunds: sum(StatementEntryType::Refund),
        closing: money(balance),
        entries,
        reversals: sum(StatementEntryType::Reversal),
    }
}
