//! Requests another price for running subscriptions.

use pavise_kernel::{Call, CheckRequest, Error, Result};

use super::support::count::count_cohort;
use super::support::terms::check_terms;
use crate::contract::v1::{CreateRepricingRequest, ErrorReason, Repricing};
use crate::shared::tools::Tools as _;

impl CheckRequest<CreateRepricingRequest> for Repricing {
    /// Refuses a repricing that no subscription matches: most likely it names another price than they have.
    async fn check_request(call: &Call, _: Option<&Self>, request: &CreateRepricingRequest) -> Result<()> {
        let terms = Self::from(request);
        check_terms(&terms, call.today(), call.config()?.repricing_notice())?;
        let counts = count_cohort(call, &terms).await?;
        // Those beyond the count may match.
        if counts.matching > 0 || counts.is_capped {
            return Ok(());
        }
        let refused = Error::new(ErrorReason::RepricingMatchesNone, "no running subscription would get the new price");
        Err(refused.with("found", counts.found.to_string()))
    }
}
