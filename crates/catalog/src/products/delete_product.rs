//! Deletes a product that cannot be bought.

use pavise_kernel::{Call, Error, Page, Result};

use crate::contract::lookups::offer as lookups;
use crate::contract::v1::{DeleteProductRequest, ErrorReason, Offer, OfferStatus, Product, ProductStatus};

pub(crate) async fn delete_product(call: &Call, request: DeleteProductRequest) -> Result<Product> {
    let mut product: Product = call.get(&request.product_id).await?;
    call.check_transition(&product)?;
    if let Some(offer) = find_buyable_offer(call, &product.id).await? {
        let message = format!("the offer {} still sells this product", offer.id);
        return Err(Error::new(ErrorReason::ProductInUse, message).with("offerId", offer.id));
    }
    product.set_status(ProductStatus::Delete);
    let mut unit = call.unit();
    let product = unit.remove(product)?;
    unit.commit_answer(product).await
}

/// An offer that can be bought and has the product.
async fn find_buyable_offer(call: &Call, product_id: &str) -> Result<Option<Offer>> {
    let status = |status: OfferStatus| (lookups::STATUS, status.spelling().to_owned());
    let filters = vec![
        status(OfferStatus::AvailableForSale),
        status(OfferStatus::Enrollable),
        (lookups::PRODUCTS_PRODUCT_ID, product_id.to_owned()),
    ];
    let (offers, _) = call.list_page::<Offer>(Page { size: 1, token: "", filters }).await?;
    Ok(offers.into_iter().next())
}
