//! Checks the people who act for a group of the older system.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::people::check_people;
use crate::contract::v1::{Group, MigrateAuthorizedIdentitiesRequest};

impl CheckRequest<MigrateAuthorizedIdentitiesRequest> for Group {
    async fn check_request(call: &Call, _: Option<&Self>, request: &MigrateAuthorizedIdentitiesRequest) -> Result<()> {
        check_people(call, &request.authorized_identities).await
    }
}
