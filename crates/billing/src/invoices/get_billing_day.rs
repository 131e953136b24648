//! Answers how far the billing of a day is.

use std::collections::BTreeMap;

use pavise_kernel::common::v1::{Date, Money};
use pavise_kernel::range::{ListRange, SortKey as _};
use pavise_kernel::store::Range;
use pavise_kernel::{Call, Error, Page, Result};

use crate::contract::SUBSCRIPTION_TABLE;
use crate::contract::lookups::invoice as lookups;
use crate::contract::lookups::subscription as subscription_lookups;
use crate::contract::v1::{
    BillingDay, BillingDayAmount, BillingDayCount, GetBillingDayRequest, Invoice, InvoiceStatus,
};
use crate::shared::money;
use crate::subscriptions::support::days::{format_day, require_day};

/// The most that is counted.
const MOST: u32 = 100_000;
/// The invoices whose amounts are summed up, and how many are read at once.
const MOST_SUMMED: usize = 5_000;
const PAGE: i32 = 500;

const STATUSES: [InvoiceStatus; 8] = [
    InvoiceStatus::Active,
    InvoiceStatus::Paid,
    InvoiceStatus::PartiallyFunded,
    InvoiceStatus::Failed,
    InvoiceStatus::Delinquent,
    InvoiceStatus::Forgiven,
    InvoiceStatus::Voided,
    InvoiceStatus::Refunded,
];

/// Counts by the indexes of billing days, and of statuses with due days. So its cost does not depend on other days.
pub(crate) async fn get_billing_day(call: &Call, request: GetBillingDayRequest) -> Result<BillingDay> {
    let day = require_day("day", request.day)?;
    let (amounts, amounts_are_partial) = sum_up(call, day).await?;
    Ok(BillingDay {
        day: Some(day),
        waiting: count_waiting(call, day).await?,
        counts: count_by_status(call, day).await?,
        amounts,
        amounts_are_partial,
    })
}

/// The subscriptions that are to be billed on the day.
async fn count_waiting(call: &Call, day: Date) -> Result<i32> {
    let lookup = SUBSCRIPTION_TABLE
        .lookup(subscription_lookups::DUE_TO_BILL_ON)
        .ok_or_else(|| Error::internal("subscriptions have no billing day"))?;
    let range = Range { lookup: Some(lookup), prefix: format_day(day), limit: MOST, ..Range::default() };
    let counts = call.kernel().store().count_ranges(&SUBSCRIPTION_TABLE, &[range]).await?;
    let count = counts.first().copied().unwrap_or_default();
    Ok(i32::try_from(count).unwrap_or(i32::MAX))
}

async fn count_by_status(call: &Call, day: Date) -> Result<Vec<BillingDayCount>> {
    let mut found = Vec::new();
    for status in STATUSES {
        let filters = [(lookups::STATUS, status.spelling().to_owned())];
        let (invoices, _) = call.count_entities::<Invoice>(None, due_on(day), &filters, MOST).await?;
        if invoices > 0 {
            found.push(BillingDayCount { status: status.into(), invoices });
        }
    }
    Ok(found)
}

/// The amounts by currency, and whether there are more invoices than were read.
async fn sum_up(call: &Call, day: Date) -> Result<(Vec<BillingDayAmount>, bool)> {
    let mut amounts: BTreeMap<i32, BillingDayAmount> = BTreeMap::new();
    let (mut token, mut read) = (String::new(), 0);
    while read < MOST_SUMMED {
        let page = Page { size: PAGE, token: &token, filters: Vec::new() };
        let (invoices, next) = call.page_in_order::<Invoice>(None, due_on(day), page).await?;
        for invoice in &invoices {
            add_invoice(amounts.entry(invoice.currency).or_default(), invoice);
        }
        read = read.saturating_add(invoices.len());
        token = next;
        if token.is_empty() {
            break;
        }
    }
    Ok((amounts.into_values().collect(), !token.is_empty()))
}

/// The range of one due day.
fn due_on(day: Date) -> ListRange {
    ListRange { lookup: lookups::DUE_ON, from: day.key(), until: day.key(), ascending: true, ..ListRange::default() }
}

fn add_invoice(sums: &mut BillingDayAmount, invoice: &Invoice) {
    let minor = |amount: Option<Money>| money::to_minor_units(amount.as_ref());
    let open = minor(invoice.open_amount);
    let is_declined = matches!(invoice.status(), InvoiceStatus::Failed | InvoiceStatus::Delinquent);
    let billed = if invoice.status() == InvoiceStatus::Voided { 0 } else { minor(invoice.total) };
    let paid = minor(invoice.paid_amount).saturating_sub(minor(invoice.refunded_amount));
    let parts = [
        (&mut sums.billed, billed),
        (&mut sums.paid, paid),
        (&mut sums.declined, if is_declined { open } else { 0 }),
        (&mut sums.open, if is_declined { 0 } else { open }),
    ];
    for (sum, amount) in parts {
        let sum = sum.get_or_insert(Money { currency: invoice.currency, amount: 0 });
        sum.amount = sum.amount.saturating_add(amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_declined_or_still_to_come() {
        let usd = |amount| Some(Money { currency: 1, amount });
        let invoice = |status: InvoiceStatus, total: i64, paid: i64, open: i64| Invoice {
            status: status.into(),
            currency: 1,
            total: usd(total),
            paid_amount: usd(paid),
            open_amount: usd(open),
            ..Invoice::default()
        };
        let mut sums = BillingDayAmount::default();
        for one in [
            invoice(InvoiceStatus::Paid, 2995, 2995, 0),
            invoice(InvoiceStatus::Failed, 1000, 400, 600),
            invoice(InvoiceStatus::Active, 500, 0, 500),
            invoice(InvoiceStatus::Voided, 700, 0, 0),
        ] {
            add_invoice(&mut sums, &one);
        }
        let expected = BillingDayAmount { billed: usd(4495), paid: usd(3395), declined: usd(600), open: usd(500) };
        assert_eq!(sums, expected);
    }
}
