//! Makes an offer.

use pavise_kernel::{Call, Result};

use super::stock;
use crate::contract::v1::{CreateOfferRequest, Offer};

pub(super) async fn create(call: &Call, request: CreateOfferRequest) -> Result<Offer> {
    let draft = request.offer.unwrap_or_default();
    stock::must_exist(call, "offer.products", &draft.products).await?;
    let mut offer = Offer { id: request.id, owner_id: request.owner_id, brand: request.brand, ..Offer::default() };
    offer.redraft(draft);
    offer.check_below("offer.")?;
    call.create(offer).await
}
