//! The invoices of a member that are not settled.

use pavise_kernel::{Call, Result};

use crate::contract::lookups::invoice as lookups;
use crate::contract::v1::{Invoice, InvoiceStatus};
use crate::shared::pages::load_all;

/// The statuses of an invoice on which an amount is still to be paid.
pub(crate) const OUTSTANDING: [InvoiceStatus; 4] =
    [InvoiceStatus::Active, InvoiceStatus::Failed, InvoiceStatus::Delinquent, InvoiceStatus::PartiallyFunded];

/// Loads all invoices of the member that are not settled.
pub(crate) async fn load_outstanding(call: &Call) -> Result<Vec<Invoice>> {
    load_all(call, &OUTSTANDING.map(|status| (lookups::STATUS, status.spelling().to_owned()))).await
}
