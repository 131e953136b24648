//! Checks the business of a launch.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::check_business;
use crate::contract::v1::{ChangeLaunchBusinessRequest, Launch};

impl CheckRequest<ChangeLaunchBusinessRequest> for Launch {
    async fn check_request(call: &Call, _: Option<&Self>, request: &ChangeLaunchBusinessRequest) -> Result<()> {
        check_business(call, &request.identity_id, &request.business_id).await
    }
}
