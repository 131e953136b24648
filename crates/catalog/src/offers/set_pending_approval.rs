//! Takes an offer off sale until somebody approves it.

use pavise_kernel::{Call, Result};

use super::stock;
use crate::contract::v1::{Offer, OfferStatus, SetPendingApprovalRequest};

pub(super) async fn set_pending_approval(call: &Call, request: SetPendingApprovalRequest) -> Result<Offer> {
    let offer = stock::find(call, &request.brand, &request.offer_id).await?;
    call.change::<Offer>(&offer.id, |offer| {
        offer.set_status(OfferStatus::PendingApproval);
        Ok(())
    })
    .await
}
