//! Adds products to an offer and changes them.

use pavise_kernel::{Call, Error, Result};

use super::stock;
use crate::contract::v1::{AddProductsRequest, ErrorReason, Offer, OfferProduct, UpdateProductsRequest};

pub(super) async fn add(call: &Call, request: AddProductsRequest) -> Result<Offer> {
    let offer = stock::find(call, &request.brand, &request.offer_id).await?;
    stock::must_exist(call, "products", &request.products).await?;
    call.change::<Offer>(&offer.id, |offer| offer.revise(|offer| add_to(offer, &request.products))).await
}

pub(super) async fn update(call: &Call, request: UpdateProductsRequest) -> Result<Offer> {
    let offer = stock::find(call, &request.brand, &request.offer_id).await?;
    stock::must_exist(call, "products", &request.products).await?;
    call.change::<Offer>(&offer.id, |offer| offer.revise(|offer| replace_in(offer, &request.products))).await
}

fn add_to(offer: &mut Offer, products: &[OfferProduct]) -> Result<()> {
    for (at, product) in products.iter().enumerate() {
        let id = &product.product_id;
        if offer.products.iter().any(|known| known.product_id == *id) {
            let error = Error::new(ErrorReason::ProductAlreadyOffered, format!("the offer has the product {id} already"));
            return Err(error.violation(format!("products[{at}].product_id"), "is in the offer already"));
        }
        offer.products.push(product.clone());
    }
    Ok(())
}

fn replace_in(offer: &mut Offer, products: &[OfferProduct]) -> Result<()> {
    for (at, product) in products.iter().enumerate() {
        let known = offered(offer, &product.product_id);
        *known.map_err(|error| error.violation(format!("products[{at}].product_id"), "is not in the offer"))? = product.clone();
    }
    Ok(())
}

/// The entry of a product in an offer.
pub(super) fn offered<'a>(offer: &'a mut Offer, product_id: &str) -> Result<&'a mut OfferProduct> {
    let known = offer.products.iter_mut().find(|known| known.product_id == product_id);
    known.ok_or_else(|| Error::new(ErrorReason::ProductNotOffered, format!("the offer has no product {product_id}")))
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::sample::{offer, product, tier};

    fn entry(product_id: &str, tier_id: &str) -> OfferProduct {
        OfferProduct { product_id: product_id.to_owned(), tier_ids: vec![tier_id.to_owned()], ..OfferProduct::default() }
    }

    #[test]
    fn a_product_is_added_once() {
        let mut offer = offer(&[product("legal", vec![tier("family", 1)])]);
        add_to(&mut offer, &[entry("identity", "individual")]).unwrap();
        assert_eq!(offer.products.len(), 2);
        let twice = add_to(&mut offer, &[entry("book", "any"), entry("legal", "family")]).unwrap_err();
        assert!(twice.is(ErrorReason::ProductAlreadyOffered));
        assert_eq!(twice.violations()[0].field, "products[1].product_id");
    }

    #[test]
    fn only_a_product_of_the_offer_is_changed() {
        let mut offer = offer(&[product("legal", vec![tier("family", 1)])]);
        replace_in(&mut offer, &[entry("legal", "family")]).unwrap();
        assert_eq!(offer.products, [entry("legal", "family")]);
        let unknown = replace_in(&mut offer, &[entry("identity", "individual")]).unwrap_err();
        assert!(unknown.is(ErrorReason::ProductNotOffered));
    }
}
