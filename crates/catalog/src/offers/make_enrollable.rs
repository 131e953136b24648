//! Puts an offer on sale for the members of its groups.

use pavise_kernel::{Call, Result};

use super::stock;
use crate::contract::v1::{MakeEnrollableRequest, Offer, OfferStatus};

pub(super) async fn make_enrollable(call: &Call, request: MakeEnrollableRequest) -> Result<Offer> {
    let offer = stock::find(call, &request.brand, &request.offer_id).await?;
    let products = stock::products_of(call, &offer.products).await?;
    call.change::<Offer>(&offer.id, |offer| {
        stock::must_be_sellable(offer, &products)?;
        offer.set_status(OfferStatus::Enrollable);
        Ok(())
    })
    .await
}
