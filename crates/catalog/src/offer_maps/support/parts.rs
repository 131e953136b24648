//! The products, tiers and supplements that a map names.

use pavise_kernel::{Call, EditContext, Error, Result};

use crate::contract::v1::{MappedProduct, Offer, OfferProduct, Product};
use crate::shared::violations::Violations;

/// Checks that an offer sells the products, tiers and supplements of a map. `place` makes the path of a product.
///
/// # Errors
/// `INVALID_FIELD` with all violations.
pub(in crate::offer_maps) async fn check_parts(
    call: &Call,
    offer: &Offer,
    mapped: &[MappedProduct],
    place: impl Fn(usize) -> String,
) -> Result<()> {
    let ids: Vec<String> = mapped.iter().map(|one| one.product_id.clone()).collect();
    let products: Vec<Product> = call.find_many(&ids).await?;
    let mut wrong = Violations::default();
    for (at, one) in mapped.iter().enumerate() {
        let offered = offer.products.iter().find(|offered| offered.product_id == one.product_id);
        let product = products.iter().find(|product| product.id == one.product_id);
        match offered.zip(product) {
            Some((offered, product)) => add_foreign_parts(offered, product, one, &place(at), &mut wrong),
            None => wrong.add(format!("{}.product_id", place(at)), "the offer does not sell it"),
        }
    }
    wrong.into_result()
}

/// The offer of a map.
///
/// # Errors
/// `INVALID_FIELD` when the brand has no such offer.
pub(in crate::offer_maps) async fn load_offer(call: &Call, brand: &str, offer_id: &str) -> Result<Offer> {
    let offer = call.find_unscoped::<Offer>(offer_id).await?.filter(|offer| offer.brand == brand);
    offer.ok_or_else(|| Error::field("offer_id", "the brand has no such offer"))
}

/// Gives an id to each plan without one.
pub(in crate::offer_maps) fn fill_ids(product: &mut MappedProduct, context: &EditContext) {
    for plan in product.plans.iter_mut().filter(|plan| plan.id.is_empty()) {
        plan.id = context.new_id();
    }
}

fn add_foreign_parts(
    offered: &OfferProduct,
    product: &Product,
    mapped: &MappedProduct,
    place: &str,
    wrong: &mut Violations,
) {
    let sells = |offered: &[String], id: &String| offered.is_empty() || offered.contains(id);
    for (at, plan) in mapped.plans.iter().enumerate() {
        let has_tier = product.tiers.iter().any(|tier| tier.id == plan.tier_id);
        if !has_tier || !sells(&offered.tier_ids, &plan.tier_id) {
            wrong.add(format!("{place}.plans[{at}].tier_id"), "the offer sells no such tier");
        }
        for (number, id) in plan.supplement_ids.iter().enumerate() {
            let is_there = product.supplements.iter().any(|supplement| supplement.id == *id);
            if !is_there || !sells(&offered.supplement_ids, id) {
                wrong
                    .add(format!("{place}.plans[{at}].supplement_ids[{number}]"), "the offer sells no such supplement");
            }
        }
    }
}
