//! The products of an offer as the products service has them, and the checks of an offer against them.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{ErrorReason, Offer, OfferProduct, Product, ProductStatus};
use crate::shared::violations::Violations;

/// Loads the products of entries. Products that do not exist are left out.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn load_products(call: &Call, offered: &[OfferProduct]) -> Result<Vec<Product>> {
    let ids: Vec<String> = offered.iter().map(|one| one.product_id.clone()).collect();
    call.find_many(&ids).await
}

/// Checks that products, tiers and supplements exist. `place` is the path of the products in the request.
///
/// # Errors
/// `INVALID_FIELD` with all violations.
pub(crate) async fn check_products(call: &Call, place: &str, offered: &[OfferProduct]) -> Result<()> {
    let products = load_products(call, offered).await?;
    let mut wrong = Violations::default();
    for (at, one) in offered.iter().enumerate() {
        add_unknown_parts(
            &format!("{place}[{at}]"),
            one,
            products.iter().find(|product| product.id == one.product_id),
            &mut wrong,
        );
    }
    wrong.into_result()
}

fn add_unknown_parts(place: &str, offered: &OfferProduct, product: Option<&Product>, wrong: &mut Violations) {
    let Some(product) = product else {
        wrong.add(format!("{place}.product_id"), "there is no such product");
        return;
    };
    for (at, id) in offered.tier_ids.iter().enumerate() {
        if !product.tiers.iter().any(|tier| tier.id == *id) {
            wrong.add(format!("{place}.tier_ids[{at}]"), "the product has no such tier");
        }
    }
    for (at, id) in offered.supplement_ids.iter().enumerate() {
        if !product.supplements.iter().any(|supplement| supplement.id == *id) {
            wrong.add(format!("{place}.supplement_ids[{at}]"), "the product has no such supplement");
        }
    }
}

/// Checks that an offer can be sold. Each of its products must be active, and must have an offered tier with a price.
///
/// # Errors
/// `OFFER_INCOMPLETE` with all violations.
pub(crate) fn check_sellable(offer: &Offer, products: &[Product]) -> Result<()> {
    let mut wrong = Violations::default();
    if offer.products.is_empty() {
        wrong.add("products", "the offer has no product");
    }
    for (at, offered) in offer.products.iter().enumerate() {
        let place = format!("products[{at}]");
        let product = products.iter().find(|product| product.id == offered.product_id);
        add_unknown_parts(&place, offered, product, &mut wrong);
        let Some(product) = product else { continue };
        if product.status() != ProductStatus::Active {
            wrong.add(
                format!("{place}.product_id"),
                format!("the product is {}, not ACTIVE", product.status().spelling()),
            );
        }
        let mut tiers =
            product.tiers.iter().filter(|tier| offered.tier_ids.is_empty() || offered.tier_ids.contains(&tier.id));
        if tiers.all(|tier| tier.prices.is_empty()) {
            wrong.add(format!("{place}.tier_ids"), "no tier of the product that is offered has a price");
        }
    }
    wrong.refuse_as(ErrorReason::OfferIncomplete, "the offer cannot be sold as it is")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::sample::{sample_offer, sample_product, sample_tier};

    fn wrong(change: impl FnOnce(&mut Offer, &mut Vec<Product>)) -> Vec<String> {
        let mut products = vec![sample_product("legal", vec![sample_tier("individual", 1), sample_tier("family", 2)])];
        let mut offer = sample_offer(&products);
        change(&mut offer, &mut products);
        match check_sellable(&offer, &products) {
            Ok(()) => Vec::new(),
            Err(error) => {
                assert!(error.is(ErrorReason::OfferIncomplete));
                error.violations().iter().map(|violation| violation.field.clone()).collect()
            }
        }
    }

    #[test]
    fn offered_products_exist_are_active_and_have_a_price() {
        assert!(wrong(|_, _| ()).is_empty());
        assert_eq!(wrong(|offer, _| offer.products.clear()), ["products"]);
        assert_eq!(wrong(|_, products| products.clear()), ["products[0].product_id"]);
        assert_eq!(wrong(|_, products| products[0].set_status(ProductStatus::Inactive)), ["products[0].product_id"]);
        assert_eq!(
            wrong(|offer, _| offer.products[0].supplement_ids = vec!["boat".to_owned()]),
            ["products[0].supplement_ids[0]"]
        );
    }

    #[test]
    fn the_price_must_be_of_a_tier_that_is_offered() {
        let only_family = |offer: &mut Offer| offer.products[0].tier_ids = vec!["family".to_owned()];
        assert_eq!(
            wrong(|offer, products| {
                only_family(offer);
                products[0].tiers[1].prices.clear();
            }),
            ["products[0].tier_ids"]
        );
        assert!(
            wrong(|offer, products| {
                only_family(offer);
                products[0].tiers[0].prices.clear();
            })
            .is_empty()
        );
    }
}
