//! Checks the offers that are added.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::offers::check_offers;
use crate::contract::v1::{AddOfferIdsRequest, Group};

impl CheckRequest<AddOfferIdsRequest> for Group {
    async fn check_request(call: &Call, group: Option<&Self>, request: &AddOfferIdsRequest) -> Result<()> {
        let Some(group) = group else { return Ok(()) };
        check_offers(call, &group.brand, group.country_identifier(), &request.offer_ids).await
    }
}
