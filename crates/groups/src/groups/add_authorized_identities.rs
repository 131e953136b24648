//! Checks the people who are added.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::people::check_people;
use crate::contract::v1::{AddAuthorizedIdentitiesRequest, Group};

impl CheckRequest<AddAuthorizedIdentitiesRequest> for Group {
    async fn check_request(call: &Call, _: Option<&Self>, request: &AddAuthorizedIdentitiesRequest) -> Result<()> {
        check_people(call, &request.authorized_identities).await
    }
}
