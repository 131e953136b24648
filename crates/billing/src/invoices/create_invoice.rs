//! Raises an invoice with its items.

use pavise_kernel::time::is_real;
use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Error, Result};

use super::support::items::{add_item, build_item, is_deduction};
use crate::contract::v1::{CreateInvoiceRequest, Invoice};
use crate::shared::admission::{UsableWhen, admit_naming, find_group};

impl CheckRequest<CreateInvoiceRequest> for Invoice {
    /// The due day exists, and the payment method belongs to the member and can be used for it.
    async fn check_request(call: &Call, _invoice: Option<&Self>, request: &CreateInvoiceRequest) -> Result<()> {
        if request.due_on.is_some_and(|day| !is_real(day)) {
            return Err(Error::field("due_on", "is no day of the calendar"));
        }
        if request.payment_method_id.is_empty() {
            return Ok(());
        }
        let group = find_group(call, call.owner(), &request.subscription_id, &request.order_id);
        admit_naming(call, &request.payment_method_id, group, UsableWhen::Now).await
    }
}

impl Edit<CreateInvoiceRequest> for Invoice {
    fn edit(&mut self, request: &CreateInvoiceRequest, context: &EditContext) -> Result<()> {
        self.due_on = request.due_on.or_else(|| Some(context.today()));
        self.items.clear();
        // Deductions come last: in any order of the request, the total is never negative in between.
        let (deductions, others): (Vec<_>, Vec<_>) =
            request.items.iter().cloned().enumerate().partition(|(_, item)| is_deduction(item));
        for (at, item) in others.into_iter().chain(deductions) {
            add_item(self, &format!("items[{at}]"), build_item(item, context.new_id(), context.timestamp()))?;
        }
        Ok(())
    }
}
