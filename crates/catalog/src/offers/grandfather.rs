//! Ends the sale of an offer for good.

use pavise_kernel::{Call, Result};

use super::stock;
use crate::contract::v1::{GrandfatherOfferRequest, Offer, OfferStatus};

pub(super) async fn grandfather(call: &Call, request: GrandfatherOfferRequest) -> Result<Offer> {
    let offer = stock::find(call, &request.brand, &request.offer_id).await?;
    call.change::<Offer>(&offer.id, |offer| {
        offer.set_status(OfferStatus::Grandfathered);
        Ok(())
    })
    .await
}
