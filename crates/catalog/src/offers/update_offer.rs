//! Replaces the content of an offer.

use pavise_kernel::{Call, Result};

use super::products::check_products;
use crate::contract::v1::{Offer, UpdateOfferRequest};

pub(crate) async fn update_offer(call: &Call, request: UpdateOfferRequest) -> Result<Offer> {
    let draft = request.offer.unwrap_or_default();
    let offer: Offer = call.get(&request.offer_id).await?;
    check_products(call, "offer.products", &draft.products).await?;
    call.change::<Offer>(&offer.id, |offer| {
        offer.revise(|offer| {
            offer.replace_content(draft.clone());
            offer.check_below("offer.")
        })
    })
    .await
}
