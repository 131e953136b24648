//! Adds benefits to a benefit cohort.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::active_benefits::check_active_benefits;
use crate::contract::v1::{AddBenefitCohortBenefitsRequest, BenefitCohort};

impl CheckRequest<AddBenefitCohortBenefitsRequest> for BenefitCohort {
    async fn check_request(call: &Call, _: Option<&Self>, request: &AddBenefitCohortBenefitsRequest) -> Result<()> {
        check_active_benefits(call, &request.benefit_ids).await
    }
}
