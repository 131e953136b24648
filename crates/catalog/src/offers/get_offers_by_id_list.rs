//! Answers the offers with some ids.

use pavise_kernel::{Call, Result};

use super::reader::view_offer;
use crate::contract::v1::{GetOffersByIdListRequest, GetOffersByIdListResponse, Offer};

pub(crate) async fn get_offers_by_id_list(
    call: &Call,
    request: GetOffersByIdListRequest,
) -> Result<GetOffersByIdListResponse> {
    let found: Vec<Offer> = call.find_many(&request.ids).await?;
    let seen = found.into_iter().filter(|offer| call.sees(offer));
    Ok(GetOffersByIdListResponse { offers: seen.map(|offer| view_offer(call, offer, "")).collect() })
}
