//! Lists the payment vendors of this platform.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{ListPaymentVendorsRequest, ListPaymentVendorsResponse, Vendor};
use crate::shared::tools::Tools as _;

/// Lists the vendors that this server can ask.
pub(crate) async fn list_payment_vendors(
    call: &Call,
    _request: ListPaymentVendorsRequest,
) -> Result<ListPaymentVendorsResponse> {
    let vendors = call.vendors()?;
    let usable = [Vendor::Iseries, Vendor::TokenexVantiv, Vendor::Vantiv, Vendor::Test, Vendor::Stripe].into_iter();
    let usable = usable.filter(|vendor| vendors.get(*vendor).is_ok());
    Ok(ListPaymentVendorsResponse { vendors: usable.map(i32::from).collect() })
}
