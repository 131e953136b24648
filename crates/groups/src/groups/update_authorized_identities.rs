//! Checks the people who act for a group.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::people::check_people;
use crate::contract::v1::{Group, UpdateAuthorizedIdentitiesRequest};

impl CheckRequest<UpdateAuthorizedIdentitiesRequest> for Group {
    async fn check_request(call: &Call, _: Option<&Self>, request: &UpdateAuthorizedIdentitiesRequest) -> Result<()> {
        check_people(call, &request.authorized_identities).await
    }
}
