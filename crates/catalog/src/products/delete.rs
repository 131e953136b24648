//! Deletes a product that nobody can buy.

use pavise_kernel::{Call, Error, Page, Result};

use crate::contract::v1::{DeleteProductRequest, ErrorReason, Offer, OfferStatus, Product, ProductStatus};

pub(super) async fn delete(call: &Call, request: DeleteProductRequest) -> Result<Product> {
    let mut product: Product = call.get(&request.product_id).await?;
    call.permit(&product)?;
    if let Some(offer) = buyable_offer(call, &product.id).await? {
        let message = format!("the offer {} still sells this product", offer.id);
        return Err(Error::new(ErrorReason::ProductInUse, message).with("offerId", offer.id));
    }
    product.set_status(ProductStatus::Delete);
    let mut unit = call.unit();
    let product = unit.remove(product)?;
    unit.answer(product).await
}

/// An offer that can be bought and has the product.
async fn buyable_offer(call: &Call, product_id: &str) -> Result<Option<Offer>> {
    let status = |status: OfferStatus| ("status", status.spelling().to_owned());
    let filters = vec![
        status(OfferStatus::AvailableForSale),
        status(OfferStatus::Enrollable),
        ("products.product_id", product_id.to_owned()),
    ];
    let (offers, _) = call.page::<Offer>(Page { size: 1, token: "", filters }).await?;
    Ok(offers.into_iter().next())
}
