//! Replaces the content of an offer, or the places where it is sold.

use pavise_kernel::{Call, Result};

use super::stock;
use crate::contract::v1::{Offer, UpdateAvailableLocalitiesRequest, UpdateOfferRequest};

pub(super) async fn update(call: &Call, request: UpdateOfferRequest) -> Result<Offer> {
    let draft = request.offer.unwrap_or_default();
    let offer = stock::find(call, &request.brand, &request.offer_id).await?;
    stock::must_exist(call, "offer.products", &draft.products).await?;
    call.change::<Offer>(&offer.id, |offer| {
        offer.revise(|offer| {
            offer.redraft(draft.clone());
            offer.check_below("offer.")
        })
    })
    .await
}

pub(super) async fn update_localities(call: &Call, request: UpdateAvailableLocalitiesRequest) -> Result<Offer> {
    let offer = stock::find(call, &request.brand, &request.offer_id).await?;
    call.change::<Offer>(&offer.id, |offer| {
        offer.revise(|offer| {
            offer.available_localities.clone_from(&request.available_localities);
            Ok(())
        })
    })
    .await
}
