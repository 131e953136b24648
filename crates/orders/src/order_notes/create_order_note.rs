//! Writes a note on an order.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{CreateOrderNoteRequest, OrderNote};

impl Edit<CreateOrderNoteRequest> for OrderNote {
    fn edit(&mut self, _request: &CreateOrderNoteRequest, context: &EditContext) -> Result<()> {
        context.actor().clone_into(&mut self.author_id);
        Ok(())
    }
}
