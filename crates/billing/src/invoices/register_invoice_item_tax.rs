//! Registers the tax of an invoice item with the authority.

use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{Invoice, InvoiceItemEvent, ItemAction, RegisterInvoiceItemTaxRequest};

impl Edit<RegisterInvoiceItemTaxRequest> for Invoice {
    /// Records the registration once.
    fn edit(&mut self, request: &RegisterInvoiceItemTaxRequest, context: &EditContext) -> Result<()> {
        let item = self.items.iter_mut().find(|item| item.id == request.item_id);
        let item = item.ok_or_else(|| Error::not_found("invoice item", &request.item_id))?;
        if !item.tax_registered {
            item.tax_registered = true;
            item.history
                .push(InvoiceItemEvent { action: ItemAction::TaxRegistered.into(), at: Some(context.timestamp()) });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::InvoiceItem;

    #[test]
    fn a_registration_is_recorded_once() {
        let item = InvoiceItem { id: "a".to_owned(), ..InvoiceItem::default() };
        let mut invoice = Invoice { items: vec![item], ..Invoice::default() };
        let register = |id: &str| RegisterInvoiceItemTaxRequest { item_id: id.to_owned(), ..Default::default() };
        for at in [1_000_000, 2_000_000] {
            invoice.edit(&register("a"), &EditContext::at(at)).unwrap();
        }
        let item = invoice.items.first().unwrap();
        assert!(item.tax_registered);
        assert_eq!(item.history.iter().map(|event| event.at.unwrap().seconds).collect::<Vec<_>>(), [1]);
        assert!(invoice.edit(&register("b"), &EditContext::at(0)).is_err());
    }
}
