//! Checks the business and the plan of a new launch.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::{check_business, check_entitlement};
use crate::contract::v1::{CreateLaunchRequest, Launch};

impl CheckRequest<CreateLaunchRequest> for Launch {
    async fn check_request(call: &Call, _: Option<&Self>, request: &CreateLaunchRequest) -> Result<()> {
        check_business(call, &request.identity_id, &request.business_id).await?;
        check_entitlement(call, &request.identity_id, &request.entitlement_id).await
    }
}
