//! Adds products to an offer.

use pavise_kernel::{Call, Error, Result};

use super::products::check_products;
use crate::contract::v1::{AddProductsRequest, ErrorReason, Offer, OfferProduct};

pub(crate) async fn add_products(call: &Call, request: AddProductsRequest) -> Result<Offer> {
    let offer: Offer = call.get(&request.offer_id).await?;
    check_products(call, "products", &request.products).await?;
    call.change::<Offer>(&offer.id, |offer| offer.revise(|offer| append_products(offer, &request.products))).await
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
    use crate::sample::{offer, offer_product, product, tier};

    #[test]
    fn a_product_is_added_once() {
        let mut offer = offer(&[product("legal", vec![tier("family", 1)])]);
        append_products(&mut offer, &[offer_product("identity", "individual")]).unwrap();
        assert_eq!(offer.products.len(), 2);
        let twice = [offer_product("book", "any"), offer_product("legal", "family")];
        let refused = append_products(&mut offer, &twice).unwrap_err();
        assert!(refused.is(ErrorReason::ProductAlreadyOffered));
        assert_eq!(refused.violations()[0].field, "products[1].product_id");
    }
}
