//! Removes an item from an invoice.

use pavise_kernel::{Edit, EditContext, Error, Result};

use super::support::sums::write_sums;
use crate::contract::v1::{Invoice, RemoveInvoiceItemRequest};

impl Edit<RemoveInvoiceItemRequest> for Invoice {
    /// Removes the item, unless the rest would sum up to less than was paid.
    fn edit(&mut self, request: &RemoveInvoiceItemRequest, _context: &EditContext) -> Result<()> {
        let item = self.items.iter().find(|item| item.id == request.item_id);
        let item = item.ok_or_else(|| Error::not_found("invoice item", &request.item_id))?;
        if !item.credit_id.is_empty() {
            return Err(Error::field("item_id", "takes from a credit: void the invoice to give it back"));
        }
        self.items.retain(|item| item.id != request.item_id);
        write_sums(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::InvoiceItem;
    use pavise_kernel::Common;
    use pavise_kernel::common::v1::Money;

    #[test]
    fn an_item_is_removed_by_its_id() {
        let item = |id: &str, amount| InvoiceItem {
            id: id.to_owned(),
            amount: Some(Money { currency: 1, amount }),
            ..InvoiceItem::default()
        };
        let mut invoice = Invoice { currency: 1, items: vec![item("a", 100), item("b", 30)], ..Invoice::default() };
        let remove = |id: &str| RemoveInvoiceItemRequest { item_id: id.to_owned(), ..Default::default() };
        invoice.edit(&remove("a"), &EditContext::at(0)).unwrap();
        assert_eq!(invoice.total, Some(Money { currency: 1, amount: 30 }));
        assert!(invoice.edit(&remove("a"), &EditContext::at(0)).unwrap_err().is(Common::NotFound));
    }
}
