//! Answers the benefits of a person, with each source a yes or all reasons against it.

use pavise_kernel::{Call, Result};

use super::support::answers::build_benefits;
use super::support::grants::{load_birth_date, load_grants};
use super::support::reasons::Circumstances;
use crate::contract::v1::{GetBenefitsEligibilitiesRequest, GetBenefitsEligibilitiesResponse};
use crate::shared::days::check_day;

pub(crate) async fn get_benefits_eligibilities(
    call: &Call,
    request: GetBenefitsEligibilitiesRequest,
) -> Result<GetBenefitsEligibilitiesResponse> {
    let day = check_day(call, "day", request.day)?;
    let grants = load_grants(call, &request.entitlement_ids).await?;
    let born = load_birth_date(call).await?;
    let circumstances = Circumstances { day, region: request.region(), areas: &request.area_of_law_ids, born };
    Ok(GetBenefitsEligibilitiesResponse { benefits: build_benefits(&grants, &request.benefit_ids, &circumstances) })
}
