//! Adds an item to an invoice.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::items::{add_item, build_item};
use crate::contract::v1::{AddInvoiceItemRequest, Invoice};

impl Edit<AddInvoiceItemRequest> for Invoice {
    fn edit(&mut self, request: &AddInvoiceItemRequest, context: &EditContext) -> Result<()> {
        let item = build_item(request.item.clone().unwrap_or_default(), context.new_id(), context.timestamp());
        add_item(self, "item", item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{InvoiceItem, InvoiceItemEvent, ItemAction, ItemType};
    use pavise_kernel::common::v1::Money;

    #[test]
    fn an_item_counts_and_begins_its_history() {
        let mut invoice = Invoice { currency: 1, ..Invoice::default() };
        let amount = |amount| Some(Money { currency: 1, amount });
        let item = InvoiceItem {
            id: "mine".into(),
            r#type: ItemType::Order.into(),
            amount: amount(250),
            tax_registered: true,
            ..InvoiceItem::default()
        };
        let request = AddInvoiceItemRequest { item: Some(item), ..Default::default() };
        invoice.edit(&request, &EditContext::at(7)).unwrap();
        let added = invoice.items.first().unwrap();
        assert_eq!((invoice.total, invoice.open_amount), (amount(250), amount(250)));
        assert_eq!(added.history.first().map(InvoiceItemEvent::action), Some(ItemAction::Added));
        assert!(added.id != "mine" && !added.tax_registered, "the platform sets id and registration");
    }
}
