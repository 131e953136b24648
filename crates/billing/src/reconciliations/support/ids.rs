//! The ids of comparisons: a repeat finds what the comparison before wrote.

use pavise_kernel::common::v1::Date;
use pavise_kernel::hex::to_hex;
use pavise_kernel::range::SortKey as _;
use sha2::{Digest as _, Sha256};

use crate::contract::v1::Vendor;
use crate::shared::vendor::Movement;

/// The characters of an id.
const ID: usize = 40;

/// The id of a day's comparison.
pub(crate) fn reconciliation_id(vendor: Vendor, day: Date) -> String {
    make_id(&format!("{}\n{}", vendor.spelling(), day.key()))
}

/// The id of the row about a vendor's reference.
pub(crate) fn row_id(vendor: Vendor, vendor_reference: &str) -> String {
    make_id(&format!("{}\nrow\n{vendor_reference}", vendor.spelling()))
}

/// The reference of the row about a movement. The return of a refund has another one than the refund.
pub(crate) fn row_reference(movement: &Movement) -> String {
    let reference = &movement.vendor_reference;
    if movement.is_reversal { format!("{reference}/returned") } else { reference.clone() }
}

fn make_id(text: &str) -> String {
    to_hex(&Sha256::digest(text)).chars().take(ID).collect()
}
