//! Checks that a launch has its business and a plan in use.

use pavise_kernel::{Call, CheckRequest, Error, Result};

use super::support::find_entitlement;
use crate::contract::fulfillment::EntitlementStatus;
use crate::contract::v1::{ActivateLaunchRequest, ErrorReason, Launch};

impl CheckRequest<ActivateLaunchRequest> for Launch {
    async fn check_request(call: &Call, launch: Option<&Self>, _: &ActivateLaunchRequest) -> Result<()> {
        let Some(launch) = launch else { return Ok(()) };
        if launch.business_id.is_empty() {
            return Err(Error::new(ErrorReason::LaunchIncomplete, "the launch has no business yet"));
        }
        let plan = find_entitlement(call, &launch.owner_id, &launch.entitlement_id).await?;
        match plan {
            Some(plan) if plan.status() == EntitlementStatus::Active => Ok(()),
            _ => Err(Error::new(ErrorReason::LaunchIncomplete, "the launch has no ACTIVE plan yet")),
        }
    }
}
