//! Gives an identity benefits beside its plans.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::active_benefits::check_active_benefits;
use crate::contract::v1::{BenefitCohort, CreateBenefitCohortRequest};

impl CheckRequest<CreateBenefitCohortRequest> for BenefitCohort {
    async fn check_request(call: &Call, _: Option<&Self>, request: &CreateBenefitCohortRequest) -> Result<()> {
        check_active_benefits(call, &request.benefit_ids).await
    }
}

impl Edit<CreateBenefitCohortRequest> for BenefitCohort {
    fn edit(&mut self, _: &CreateBenefitCohortRequest, context: &EditContext) -> Result<()> {
        self.starts_on = self.starts_on.or_else(|| Some(context.today()));
        Ok(())
    }
}
