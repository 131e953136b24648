//! Replaces the entries of products in an offer.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::offered_product::find_entry;
use super::support::products::check_products;
use crate::contract::v1::{Offer, OfferProduct, UpdateProductsRequest};

impl CheckRequest<UpdateProductsRequest> for Offer {
    async fn check_request(call: &Call, _offer: Option<&Self>, request: &UpdateProductsRequest) -> Result<()> {
        check_products(call, "products", &request.products).await
    }
}

impl Edit<UpdateProductsRequest> for Offer {
    fn edit(&mut self, request: &UpdateProductsRequest, _context: &EditContext) -> Result<()> {
        self.revise_content(|offer| replace_products(offer, &request.products))
    }
}

fn replace_products(offer: &mut Offer, products: &[OfferProduct]) -> Result<()> {
    for (at, product) in products.iter().enumerate() {
        let entry = find_entry(offer, &product.product_id);
        *entry.map_err(|error| error.violation(format!("products[{at}].product_id"), "is not in the offer"))? =
            product.clone();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::ErrorReason;
    use crate::shared::sample::{offer_product, sample_offer, sample_product, sample_tier};

    #[test]
    fn only_a_product_of_the_offer_is_changed() {
        let mut offer = sample_offer(&[sample_product("legal", vec![sample_tier("family", 1)])]);
        replace_products(&mut offer, &[offer_product("legal", "family")]).unwrap();
        assert_eq!(offer.products, [offer_product("legal", "family")]);
        let unknown = replace_products(&mut offer, &[offer_product("identity", "individual")]).unwrap_err();
        assert!(unknown.is(ErrorReason::ProductNotOffered));
    }
}
