//! Reads of a repricing by the calls of its worker.

use pavise_kernel::{Aggregate as _, Call, Error, Result};

use crate::contract::v1::Repricing;

/// Loads a repricing.
///
/// # Errors
/// `NOT_FOUND`.
pub(in crate::repricings) async fn load_repricing(call: &Call, id: &str) -> Result<Repricing> {
    let found: Option<Repricing> = call.find_unscoped(id).await?;
    found.ok_or_else(|| Error::not_found(Repricing::TABLE.noun, id))
}
