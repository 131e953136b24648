//! Makes an offer.

use pavise_kernel::{Call, Result};

use super::products::check_products;
use crate::contract::v1::{CreateOfferRequest, Offer};

pub(crate) async fn create_offer(call: &Call, request: CreateOfferRequest) -> Result<Offer> {
    let draft = request.offer.unwrap_or_default();
    check_products(call, "offer.products", &draft.products).await?;
    let mut offer = Offer { id: request.id, owner_id: request.owner_id, brand: request.brand, ..Offer::default() };
    offer.replace_content(draft);
    offer.check_below("offer.")?;
    call.create(offer).await
}
