//! The sealed part of a letter.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The part of a letter that only its reader learns.
#[derive(Serialize, Deserialize)]
pub(super) struct SealedLetter {
    pub(super) address: String,
    pub(super) values: BTreeMap<String, String>,
    pub(super) code: Option<String>,
}
