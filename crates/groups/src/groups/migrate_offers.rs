//! Checks the offers of a group of the older system.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::offers::check_offers;
use crate::contract::v1::{Group, MigrateOffersRequest};

impl CheckRequest<MigrateOffersRequest> for Group {
    async fn check_request(call: &Call, group: Option<&Self>, request: &MigrateOffersRequest) -> Result<()> {
        let Some(group) = group else { return Ok(()) };
        check_offers(call, &group.brand, group.country_identifier(), &request.offer_ids).await
    }
}
