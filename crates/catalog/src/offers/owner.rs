//! Moves an offer to another organisation.

use pavise_kernel::{Call, Result};

use super::stock;
use crate::contract::v1::{ChangeOwnerRequest, Offer};

pub(super) async fn change_owner(call: &Call, request: ChangeOwnerRequest) -> Result<Offer> {
    let offer = stock::find(call, &request.brand, &request.offer_id).await?;
    call.change::<Offer>(&offer.id, |offer| {
        offer.owner_id.clone_from(&request.owner_id);
        Ok(())
    })
    .await
}
