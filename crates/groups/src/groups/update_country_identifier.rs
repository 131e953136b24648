//! Checks that the offers of a group go with it to another country.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::offers::check_country;
use crate::contract::v1::{Group, UpdateCountryIdentifierRequest};

impl CheckRequest<UpdateCountryIdentifierRequest> for Group {
    async fn check_request(call: &Call, group: Option<&Self>, request: &UpdateCountryIdentifierRequest) -> Result<()> {
        let Some(group) = group else { return Ok(()) };
        check_country(call, &group.brand, request.country_identifier(), &group.offer_ids).await
    }
}
