//! Answers what is to be set up of the benefits of a person's plans.

use pavise_kernel::common::v1::ProvisionType;
use pavise_kernel::{Call, Result};

use super::support::grants::{Grant, load_grants};
use crate::contract::catalog::Benefit;
use crate::contract::fulfillment::FulfillmentStatus;
use crate::contract::v1::{
    BenefitSetup, BenefitSetupStatus, GetBenefitsProvisioningRequest, GetBenefitsProvisioningResponse,
};

pub(crate) async fn get_benefits_provisioning(
    call: &Call,
    request: GetBenefitsProvisioningRequest,
) -> Result<GetBenefitsProvisioningResponse> {
    let grants = load_grants(call, &request.entitlement_ids).await?;
    let plans = grants.iter().filter(|grant| !grant.source.entitlement_id.is_empty() && !grant.state.is_over);
    let promised = plans.flat_map(|grant| grant.promises.iter().map(move |promise| (grant, &promise.benefit)));
    let is_wanted = |id: &String| request.benefit_ids.is_empty() || request.benefit_ids.contains(id);
    let wanted = promised.filter(|(_, benefit)| is_wanted(&benefit.id));
    let mut setups: Vec<BenefitSetup> = wanted.filter_map(|(grant, benefit)| build_setup(grant, benefit)).collect();
    setups.sort_by_key(|setup| (setup.name.clone(), setup.benefit_id.clone(), setup.entitlement_id.clone()));
    Ok(GetBenefitsProvisioningResponse { setups })
}

/// The set-up of a benefit by a plan; none for a benefit that needs none.
fn build_setup(grant: &Grant, benefit: &Benefit) -> Option<BenefitSetup> {
    let how = benefit.provisioning.clone()?;
    let status = setup_status(how.r#type(), &how.vendor, grant.fulfillment);
    Some(BenefitSetup {
        benefit_id: benefit.id.clone(),
        name: benefit.name.clone(),
        entitlement_id: grant.source.entitlement_id.clone(),
        plan_name: grant.source.name.clone(),
        r#type: how.r#type,
        vendor: how.vendor,
        address: how.address,
        steps: how.steps,
        status: status.into(),
    })
}

/// How far the set-up is. A benefit that no company gives is there with the plan.
fn setup_status(when: ProvisionType, vendor: &str, plan: FulfillmentStatus) -> BenefitSetupStatus {
    match plan {
        _ if vendor.is_empty() => BenefitSetupStatus::Done,
        FulfillmentStatus::Fulfilled => BenefitSetupStatus::Done,
        FulfillmentStatus::PendingChange => BenefitSetupStatus::UnderWay,
        FulfillmentStatus::PendingCreate if when == ProvisionType::OnFirstUse => BenefitSetupStatus::AtFirstUse,
        FulfillmentStatus::PendingCreate => BenefitSetupStatus::UnderWay,
        FulfillmentStatus::NotFulfilled | FulfillmentStatus::Unspecified => BenefitSetupStatus::NotBegun,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_follows_the_plan_where_a_company_gives_the_benefit() {
        use BenefitSetupStatus::{AtFirstUse, Done, NotBegun, UnderWay};
        let [at_once, at_first_use] = [ProvisionType::Immediate, ProvisionType::OnFirstUse];
        for (when, plan, expected) in [
            (at_once, FulfillmentStatus::Fulfilled, Done),
            (at_once, FulfillmentStatus::PendingChange, UnderWay),
            (at_once, FulfillmentStatus::PendingCreate, UnderWay),
            (at_first_use, FulfillmentStatus::PendingCreate, AtFirstUse),
            (at_first_use, FulfillmentStatus::NotFulfilled, NotBegun),
        ] {
            assert_eq!(setup_status(when, "Sentinel", plan), expected, "{when:?} {plan:?}");
            assert_eq!(setup_status(when, "", plan), Done);
        }
    }
}
