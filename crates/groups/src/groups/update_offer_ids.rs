//! Checks the offers of a group.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::offers::check_offers;
use crate::contract::v1::{Group, UpdateOfferIdsRequest};

impl CheckRequest<UpdateOfferIdsRequest> for Group {
    async fn check_request(call: &Call, group: Option<&Self>, request: &UpdateOfferIdsRequest) -> Result<()> {
        let Some(group) = group else { return Ok(()) };
        check_offers(call, &group.brand, group.country_identifier(), &request.offer_ids).await
    }
}
