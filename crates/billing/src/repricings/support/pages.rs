//! Pages of what a repricing goes through, by an index, newest first. A repricing that was interrupted goes on after the last
//! id that it recorded.

use pavise_kernel::hex::to_hex;
use pavise_kernel::store::{Filter, StoredRow};
use pavise_kernel::table::Table;
use pavise_kernel::{Aggregate as _, Error, Kernel, Result};
use sha2::{Digest as _, Sha256};

use crate::contract::lookups::{repricing_row as row_lookups, subscription as lookups};
use crate::contract::v1::{Repricing, RepricingRow, Subscription};

/// The entities of a page.
const PAGE: u32 = 100;
/// The characters of a row's id.
const ID: usize = 40;

/// The id of the row of a subscription: a repeat finds the row of the call before.
pub(crate) fn row_id(repricing_id: &str, subscription_id: &str) -> String {
    to_hex(&Sha256::digest(format!("{repricing_id}\n{subscription_id}"))).chars().take(ID).collect()
}

/// The next page of the subscriptions of the offer, or of the product. An empty page is the end.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn list_subscriptions(kernel: &Kernel, repricing: &Repricing, before: &str) -> Result<Vec<StoredRow>> {
    let value = if repricing.offer_id.is_empty() {
        (lookups::ITEMS_PRODUCT_ID, repricing.product_id.as_str())
    } else {
        (lookups::OFFER_ID, repricing.offer_id.as_str())
    };
    list_page(kernel, Subscription::TABLE, value, before).await
}

/// The next page of the rows of a repricing. An empty page is the end.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn list_rows(kernel: &Kernel, repricing: &Repricing, before: &str) -> Result<Vec<StoredRow>> {
    list_page(kernel, RepricingRow::TABLE, (row_lookups::REPRICING_ID, &repricing.id), before).await
}

async fn list_page(
    kernel: &Kernel,
    table: &'static Table,
    (lookup, value): (&str, &str),
    before: &str,
) -> Result<Vec<StoredRow>> {
    let lookup =
        table.lookup(lookup).ok_or_else(|| Error::internal(format!("{} has no lookup {lookup}", table.name)))?;
    let filter = Filter {
        lookups: vec![(lookup, value.to_owned())],
        before: (!before.is_empty()).then(|| before.to_owned()),
        limit: PAGE,
        ..Filter::default()
    };
    Ok(kernel.store().list(table, &filter).await?)
}
