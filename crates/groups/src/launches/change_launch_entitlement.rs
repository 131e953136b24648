//! Checks the plan of a launch.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::check_entitlement;
use crate::contract::v1::{ChangeLaunchEntitlementRequest, Launch};

impl CheckRequest<ChangeLaunchEntitlementRequest> for Launch {
    async fn check_request(call: &Call, _: Option<&Self>, request: &ChangeLaunchEntitlementRequest) -> Result<()> {
        check_entitlement(call, &request.identity_id, &request.entitlement_id).await
    }
}
