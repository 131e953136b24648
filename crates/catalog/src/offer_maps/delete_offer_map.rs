//! Deletes a map.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{DeleteOfferMapRequest, OfferMap, OfferMapStatus};

pub(crate) async fn delete_offer_map(call: &Call, request: DeleteOfferMapRequest) -> Result<OfferMap> {
    let mut map: OfferMap = call.get(&request.offer_map_id).await?;
    call.check_transition(&map)?;
    map.set_status(OfferMapStatus::Deleted);
    let mut unit = call.unit();
    let map = unit.remove(map)?;
    unit.commit_answer(map).await
}
