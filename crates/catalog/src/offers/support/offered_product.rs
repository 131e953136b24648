//! One product of an offer.

use pavise_kernel::{Error, Result};

use crate::contract::v1::{ErrorReason, Offer, OfferProduct};

/// The entry of a product in an offer.
///
/// # Errors
/// `PRODUCT_NOT_OFFERED`.
pub(crate) fn find_entry<'a>(offer: &'a mut Offer, product_id: &str) -> Result<&'a mut OfferProduct> {
    let entry = offer.products.iter_mut().find(|entry| entry.product_id == product_id);
    entry.ok_or_else(|| Error::new(ErrorReason::ProductNotOffered, format!("the offer has no product {product_id}")))
}
