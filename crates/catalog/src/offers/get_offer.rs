//! Answers an offer.

use pavise_kernel::{Call, Result};

use super::reader::view_offer;
use crate::contract::v1::{GetOfferRequest, Offer};

pub(crate) async fn get_offer(call: &Call, request: GetOfferRequest) -> Result<Offer> {
    let offer: Offer = call.get(&request.offer_id).await?;
    Ok(view_offer(call, offer, ""))
}
