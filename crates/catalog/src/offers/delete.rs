//! Removes an offer that nobody can buy or has; the contract names the statuses.

use pavise_kernel::{Call, Result};

use super::stock;
use crate::contract::v1::{DeleteOfferRequest, Offer};

pub(super) async fn delete(call: &Call, request: DeleteOfferRequest) -> Result<Offer> {
    let offer = stock::find(call, &request.brand, &request.offer_id).await?;
    call.delete::<Offer>(&offer.id).await
}
