//! Names another payment method on an invoice.

use pavise_kernel::{Call, CheckRequest, Result};

use crate::contract::v1::{Invoice, UpdateInvoicePaymentMethodRequest};
use crate::shared::admission::{UsableWhen, admit_naming, find_group};

impl CheckRequest<UpdateInvoicePaymentMethodRequest> for Invoice {
    /// The payment method can be used now and belongs to the member. One of a group pays for that group's plans only.
    async fn check_request(
        call: &Call,
        invoice: Option<&Self>,
        request: &UpdateInvoicePaymentMethodRequest,
    ) -> Result<()> {
        let (subscription, order) =
            invoice.map_or(("", ""), |one| (one.subscription_id.as_str(), one.order_id.as_str()));
        let group = find_group(call, call.owner(), subscription, order);
        admit_naming(call, &request.payment_method_id, group, UsableWhen::Now).await
    }
}
