//! The invoice of a period.

use pavise_kernel::common::v1::{Date, Money, RegionCode};
use pavise_kernel::time::add_days;
use pavise_kernel::{Call, Error, Result};

use super::discounts::lower_items;
use super::payer::find_paying_group;
use super::period::Period;
use super::retry_schedule::resolve_retry_schedule;
use crate::contract::orders::tax_service_client::TaxServiceClient;
use crate::contract::orders::{AppliedTax, CalculateTaxesRequest, TaxCategory, TaxableLine};
use crate::contract::v1::{
    Collection, ErrorReason, Invoice, InvoiceItem, InvoiceStatus, ItemType, OfferItemType, ProductType, Recurrence,
    Subscription, SubscriptionItem,
};
use crate::credits::support::taking::{TakenCredit, take_credits};
use crate::invoices::support::items::{add_item, build_item};
use crate::invoices::support::parties::fill_parties;
use crate::invoices::support::sums::write_sums;
use crate::shared::money;

/// The days in which an invoice is to be paid that nothing is charged for.
const DAYS_TO_PAY: i64 = 14;

/// The bill of a period: its invoice, and the credits that it takes.
#[derive(Debug)]
pub(crate) struct PeriodBill {
    pub(crate) invoice: Invoice,
    pub(crate) taken: Vec<TakenCredit>,
}

/// Makes the bill of a period: its charges less the payer's credits, with its seller and its buyer. An invoice over nothing
/// is PAID.
///
/// # Errors
/// `TAXES_UNKNOWN`, `CURRENCY_MISMATCH`; when the tax service does not answer.
pub(crate) async fn build_period_bill(call: &Call, subscription: &Subscription, period: &Period) -> Result<PeriodBill> {
    let mut invoice = build_charges(call, subscription, period).await?;
    let group_id = find_paying_group(call, subscription).await?;
    let taken = take_credits(call, &mut invoice, &group_id).await?;
    if money::to_minor_units(invoice.total.as_ref()) == 0 {
        invoice.set_status(InvoiceStatus::Paid);
    }
    write_sums(&mut invoice)?;
    // The invoice names no method of its own: the collector charges the one that the subscription has on that day.
    fill_parties(call, &mut invoice, Some(subscription)).await?;
    Ok(PeriodBill { invoice, taken })
}

/// Makes the invoice of a period before any credit: its items less the discounts, with the taxes of the rest.
///
/// # Errors
/// As [`build_period_bill`].
pub(crate) async fn build_charges(call: &Call, subscription: &Subscription, period: &Period) -> Result<Invoice> {
    let items = list_items(subscription, period);
    let lowered = lower_items(&items, &subscription.discounts);
    let taxes = find_taxes(call, subscription, &lowered.rests, period.from).await?;
    let currency = items.first().and_then(|item| item.amount).map_or(0, |amount| amount.currency);
    let mut invoice = Invoice {
        id: call.new_id(),
        owner_id: subscription.owner_id.clone(),
        status: InvoiceStatus::Active.into(),
        currency,
        subscription_id: subscription.id.clone(),
        billing_key: subscription.idempotent_key.clone(),
        period_from: Some(period.from),
        period_until: Some(period.until),
        collection: subscription.collection,
        retry_schedule: resolve_retry_schedule(&subscription.retry_schedule)?,
        ..Invoice::default()
    };
    let grace = invoice.retry_schedule.last().copied().unwrap_or_default();
    (invoice.due_on, invoice.due_to_collect_on) = due_days(subscription, period, call.today(), grace);
    // Items below zero come last: the total is never negative in between.
    for item in items.into_iter().chain(taxes.iter().map(build_tax_item)).chain(lowered.items) {
        add_item(&mut invoice, "items", build_item(item, call.new_id(), call.timestamp()))?;
    }
    Ok(invoice)
}

/// The day on which it is due, and the day on which the platform sees to it. The member who gets an invoice has `grace` more
/// days.
fn due_days(subscription: &Subscription, period: &Period, today: Date, grace: i32) -> (Option<Date>, Option<Date>) {
    if subscription.collection() != Collection::ByInvoice {
        return (Some(period.from), Some(period.from));
    }
    // Not before the member has it.
    let due = add_days(today, DAYS_TO_PAY);
    (Some(due), Some(add_days(due, i64::from(grace))))
}

/// The items of a period, without taxes.
pub(super) fn list_items(subscription: &Subscription, period: &Period) -> Vec<InvoiceItem> {
    let build = |item: &SubscriptionItem| InvoiceItem {
        r#type: ItemType::Subscription.into(),
        amount: item.price.as_ref().map(|price| period.cost_of(price, subscription.billing_frequency)),
        description: item.name.chars().take(200).collect(),
        recurrence: Recurrence::Recurring.into(),
        product_type: match item.r#type() {
            OfferItemType::Supplement => ProductType::Supplement,
            OfferItemType::Product | OfferItemType::Unspecified => ProductType::Product,
        }
        .into(),
        product_id: item.product_id.clone(),
        tier_id: item.tier_id.clone(),
        supplement_id: item.supplement_id.clone(),
        offer_id: subscription.offer_id.clone(),
        subscription_id: subscription.id.clone(),
        ..InvoiceItem::default()
    };
    subscription.items.iter().map(build).collect()
}

/// The taxes of what is charged for each item of the subscription, on a day at its place, by tax. Where no place is known,
/// and for nothing, there are none.
pub(super) async fn find_taxes(
    call: &Call,
    subscription: &Subscription,
    amounts: &[i64],
    on: Date,
) -> Result<Vec<AppliedTax>> {
    let has_place =
        subscription.administrative_area() != RegionCode::Unspecified || !subscription.postal_code.is_empty();
    let taxable = amounts.iter().zip(&subscription.items).filter(|(amount, _)| **amount > 0);
    let lines: Vec<TaxableLine> = taxable
        .map(|(amount, bought)| TaxableLine {
            amount: bought.price.as_ref().map(|price| money::in_same_currency(price, *amount)),
            category: category_of(&bought.family).into(),
            ..TaxableLine::default()
        })
        .collect();
    if !has_place || lines.is_empty() {
        return Ok(Vec::new());
    }
    let request = CalculateTaxesRequest {
        identity_id: subscription.owner_id.clone(),
        locality: subscription.administrative_area,
        postal_code: subscription.postal_code.clone(),
        lines,
        on: Some(on),
        ..CalculateTaxesRequest::default()
    };
    let answer = TaxServiceClient::new(call.peer_channel("orders")).calculate_taxes(request).await;
    match answer.map_err(Error::from) {
        Ok(taxed) => Ok(sum_by_tax(taxed.into_inner().lines.into_iter().flat_map(|line| line.taxes))),
        Err(error) if error.is_transient() => Err(error),
        Err(error) => {
            let message = format!("the taxes at the subscription's place cannot be computed: {}", error.reason());
            Err(Error::new(ErrorReason::TaxesUnknown, message).because(error))
        }
    }
}

/// The tax category of a product family, by its short code.
fn category_of(family: &str) -> TaxCategory {
    match family {
        "lgl" | "bus" | "cdl" => TaxCategory::Legal,
        "ids" => TaxCategory::IdentityProtection,
        _ => TaxCategory::Other,
    }
}

/// The taxes of all lines: one of each kind, region and rate.
fn sum_by_tax(taxes: impl Iterator<Item = AppliedTax>) -> Vec<AppliedTax> {
    let mut sums: Vec<AppliedTax> = Vec::new();
    for tax in taxes {
        let key = |tax: &AppliedTax| (tax.component, tax.locality, tax.rate_ppm);
        match sums.iter_mut().find(|known| key(known) == key(&tax)) {
            Some(known) => known.amount = sum_of(known.amount, tax.amount),
            None => sums.push(tax),
        }
    }
    sums
}

fn sum_of(one: Option<Money>, other: Option<Money>) -> Option<Money> {
    let more = money::to_minor_units(other.as_ref());
    one.map(|one| money::in_same_currency(&one, one.amount.saturating_add(more))).or(other)
}

pub(super) fn build_tax_item(tax: &AppliedTax) -> InvoiceItem {
    let name = format!("{} {}", tax.locality().spelling(), tax.component().spelling());
    InvoiceItem {
        r#type: ItemType::Tax.into(),
        amount: tax.amount,
        description: format!("Tax {name}"),
        recurrence: Recurrence::Recurring.into(),
        tax_name: name,
        tax_rate_ppm: tax.rate_ppm,
        ..InvoiceItem::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taxes_of_one_kind_are_one_item() {
        let tax = |component: i32, amount: i64| AppliedTax {
            component,
            rate_ppm: 50_000,
            amount: Some(Money { currency: 2, amount }),
            ..AppliedTax::default()
        };
        let sums = sum_by_tax([tax(2, 150), tax(5, 299), tax(2, 75)].into_iter());
        let amounts: Vec<i64> = sums.iter().map(|tax| money::to_minor_units(tax.amount.as_ref())).collect();
        assert_eq!(amounts, [225, 299]);
    }
}
