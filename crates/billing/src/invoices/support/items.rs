//! The items of an invoice.

use pavise_kernel::{Error, Result};
use prost_types::Timestamp;

use super::sums::write_sums;
use crate::contract::v1::{Invoice, InvoiceItem, InvoiceItemEvent, ItemAction, ItemType};
use crate::shared::money;

/// The most items of an invoice.
const MOST_ITEMS: usize = 200;

/// Makes a new item of a request's, with an id and the first event of its history.
pub(crate) fn build_item(item: InvoiceItem, id: String, now: Timestamp) -> InvoiceItem {
    let added = InvoiceItemEvent { action: ItemAction::Added.into(), at: Some(now) };
    InvoiceItem { id, tax_registered: false, credit_id: String::new(), history: vec![added], ..item }
}

/// Adds an item. Refuses one in another currency or with an amount that its type does not have.
pub(crate) fn add_item(invoice: &mut Invoice, field: &str, item: InvoiceItem) -> Result<()> {
    let Some(value) = item.amount else { return Err(Error::missing_field(format!("{field}.amount"))) };
    money::check_currency("invoice", invoice.currency, &value)?;
    let fits = match item.r#type() {
        ItemType::Discount => value.amount <= 0,
        ItemType::Transaction => true,
        ItemType::Subscription | ItemType::Order | ItemType::Tax => value.amount >= 0,
        ItemType::Unspecified => return Err(Error::missing_field(format!("{field}.type"))),
    };
    if !fits {
        let side = if item.r#type() == ItemType::Discount { "zero or less" } else { "zero or more" };
        return Err(Error::field(
            format!("{field}.amount.amount"),
            format!("must be {side} for {}", item.r#type().spelling()),
        ));
    }
    if invoice.items.len() >= MOST_ITEMS {
        return Err(Error::field(field, format!("an invoice has at most {MOST_ITEMS} items")));
    }
    invoice.items.push(item);
    write_sums(invoice)
}

/// Whether an item lowers the total.
pub(crate) fn is_deduction(item: &InvoiceItem) -> bool {
    money::to_minor_units(item.amount.as_ref()) < 0
}
