//! Parts of a product that an offer names.

use pavise_kernel::{Error, Result, Unit};

use crate::contract::lookups::offer as lookups;
use crate::contract::v1::{ErrorReason, Offer, OfferStatus, Product};

/// Checks that no offer that can be bought names a tier or a supplement that a change removes.
///
/// # Errors
/// `PRODUCT_IN_USE`, with the offer.
pub(in crate::products) async fn check_removed_parts(
    unit: &mut Unit<'_>,
    before: &Product,
    after: &Product,
) -> Result<()> {
    let tiers: Vec<&str> = before.tiers.iter().map(|tier| tier.id.as_str()).collect();
    let supplements: Vec<&str> = before.supplements.iter().map(|one| one.id.as_str()).collect();
    let lost_tiers: Vec<&str> =
        tiers.into_iter().filter(|id| !after.tiers.iter().any(|tier| tier.id == **id)).collect();
    let lost_supplements: Vec<&str> =
        supplements.into_iter().filter(|id| !after.supplements.iter().any(|one| one.id == **id)).collect();
    if lost_tiers.is_empty() && lost_supplements.is_empty() {
        return Ok(());
    }
    let offers: Vec<Offer> = unit.expects_by(lookups::PRODUCTS_PRODUCT_ID, &before.id).await?;
    let names_lost = |offer: &&Offer| {
        let entry = offer.products.iter().find(|entry| entry.product_id == before.id);
        entry.is_some_and(|entry| {
            entry.tier_ids.iter().any(|id| lost_tiers.contains(&id.as_str()))
                || entry.supplement_ids.iter().any(|id| lost_supplements.contains(&id.as_str()))
        })
    };
    let is_bought = |offer: &&Offer| matches!(offer.status(), OfferStatus::AvailableForSale | OfferStatus::Enrollable);
    match offers.iter().filter(is_bought).find(names_lost) {
        Some(offer) => {
            let message = format!("the offer {} sells a tier or supplement that would be removed", offer.id);
            Err(Error::new(ErrorReason::ProductInUse, message).with("offerId", offer.id.clone()))
        }
        None => Ok(()),
    }
}
