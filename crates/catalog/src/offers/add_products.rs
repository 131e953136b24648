//! Adds products to an offer.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Error, Result};

use super::support::products::check_products;
use crate::contract::v1::{AddProductsRequest, ErrorReason, Offer, OfferProduct};

impl CheckRequest<AddProductsRequest> for Offer {
    async fn check_request(call: &Call, _offer: Option<&Self>, request: &AddProductsRequest) -> Result<()> {
        check_products(call, "products", &request.products).await
    }
}

impl Edit<AddProductsRequest> for Offer {
    fn edit(&mut self, request: &AddProductsRequest, _context: &EditContext) -> Result<()> {
        self.revise_content(|offer| append_products(offer, &request.products))
    }
}

fn append_products(offer: &mut Offer, products: &[OfferProduct]) -> Result<()> {
    for (at, product) in products.iter().enumerate() {
        let id = &product.product_id;
        if offer.products.iter().any(|known| known.product_id == *id) {
            let error =
                Error::new(ErrorReason::ProductAlreadyOffered, format!("the offer has the product {id} already"));
            return Err(error.violation(format!("products[{at}].product_id"), "is in the offer already"));
        }
        offer.products.push(product.clone());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::sample::{offer_product, sample_offer, sample_product, sample_tier};

    #[test]
    fn a_product_is_added_once() {
        let mut offer = sample_offer(&[sample_product("legal", vec![sample_tier("family", 1)])]);
        append_products(&mut offer, &[offer_product("identity", "individual")]).unwrap();
        assert_eq!(offer.products.len(), 2);
        let twice = [offer_product("book", "any"), offer_product("legal", "family")];
        let refused = append_products(&mut offer, &twice).unwrap_err();
        assert!(refused.is(ErrorReason::ProductAlreadyOffered));
        assert_eq!(refused.violations()[0].field, "products[1].product_id");
    }
}
