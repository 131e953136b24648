//! The statement over the invoices of the member whom a call names.

use pavise_kernel::common::v1::Date;
use pavise_kernel::{Call, Result};

use super::statement::{MOST_DAYS, build_statement};
use crate::contract::v1::{Invoice, Statement};
use crate::shared::export_days::check_range;
use crate::shared::pages::load_all;

/// The statement of the member from one day to another, with the invoices that it is made of.
///
/// # Errors
/// `INVALID_FIELD` for a range that is none.
pub(crate) async fn load_statement(
    call: &Call,
    from: Option<Date>,
    to: Option<Date>,
) -> Result<(Statement, Vec<Invoice>)> {
    let (from, to) = check_range(("from", from), ("to", to), MOST_DAYS)?;
    let invoices = load_all::<Invoice>(call, &[]).await?;
    Ok((build_statement(&invoices, from, to), invoices))
}
