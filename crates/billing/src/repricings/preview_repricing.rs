//! Counts the subscriptions that a repricing would concern.

use pavise_kernel::{Call, Result};

use super::support::count::count_cohort;
use super::support::terms::check_terms;
use crate::contract::v1::{PreviewRepricingRequest, Repricing, RepricingPreview};
use crate::shared::tools::Tools as _;

pub(crate) async fn preview_repricing(call: &Call, request: PreviewRepricingRequest) -> Result<RepricingPreview> {
    let terms = Repricing::from(&request);
    check_terms(&terms, call.today(), call.config()?.repricing_notice())?;
    count_cohort(call, &terms).await
}
