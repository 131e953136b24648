//! The sources of a person's benefits: their plans, plans of others that cover them, and their benefit cohorts.

use std::collections::{BTreeMap, BTreeSet};

use futures::future::try_join;
use pavise_kernel::common::v1::{Date, RelationType};
use pavise_kernel::{Call, Page, Result};
use tonic::{Code, Request};

use super::catalog::{PlanProduct, load_benefits, load_products};
use super::promises::{Promise, Terms, list_promises};
use super::reasons::SourceState;
use crate::contract::catalog::BenefitStatus;
use crate::contract::fulfillment::entitlement_service_client::EntitlementServiceClient;
use crate::contract::fulfillment::{
    Coverage, Entitlement, EntitlementStatus, FulfillmentStatus, ListCoveragesRequest, ListEntitlementsRequest,
};
use crate::contract::members::GetProfileRequest;
use crate::contract::members::profile_service_client::ProfileServiceClient;
use crate::contract::v1::{BenefitCohort, BenefitSource, BenefitSourceType};

/// Rows of a page.
const PAGE: i32 = 500;

/// A source, with what it promises.
#[derive(Debug, Clone)]
pub(crate) struct Grant {
    /// The source without an answer.
    pub(crate) source: BenefitSource,
    pub(crate) relation: RelationType,
    pub(crate) state: SourceState,
    pub(crate) fulfillment: FulfillmentStatus,
    pub(crate) promises: Vec<Promise>,
}

/// A plan of the person or one that covers them, as far as eligibility needs it.
struct HeldPlan {
    source: BenefitSource,
    relation: RelationType,
    state: SourceState,
    fulfillment: FulfillmentStatus,
    tier_id: String,
}

/// Loads the sources of the call's owner: plans, coverages, benefit cohorts. With `only`, just these plans.
///
/// # Errors
/// When a domain does not answer.
pub(crate) async fn load_grants(call: &Call, only: &[String]) -> Result<Vec<Grant>> {
    let (held, covering) = try_join(load_held(call), load_covering(call)).await?;
    let mut plans: Vec<HeldPlan> = held.iter().map(plan_from_entitlement).collect();
    plans.extend(covering.iter().map(plan_from_coverage));
    plans.retain(|plan| only.is_empty() || only.contains(&plan.source.entitlement_id));
    let cohorts = if only.is_empty() { load_cohorts(call).await? } else { Vec::new() };

    let products: BTreeSet<(String, i32)> =
        plans.iter().map(|plan| (plan.source.product_id.clone(), plan.source.product_version)).collect();
    let products = load_products(call, products).await?;
    let named = products.values().flat_map(|known| known.product.benefits.iter().map(|one| one.benefit_id.clone()));
    let ids: BTreeSet<String> = named.chain(cohorts.iter().flat_map(|cohort| cohort.benefit_ids.clone())).collect();
    let current = load_benefits(call, ids).await?;

    let of_plans = plans.into_iter().map(|plan| {
        let known = products.get(&(plan.source.product_id.clone(), plan.source.product_version));
        let promises = known.map(|known| list_promises(&known.product, &known.benefits, &current)).unwrap_or_default();
        build_grant(plan, known, promises)
    });
    let of_cohorts = cohorts.iter().map(|cohort| {
        let benefits = cohort.benefit_ids.iter().filter_map(|id| current.get(id));
        let promises = benefits.map(|benefit| Promise {
            benefit: benefit.clone(),
            is_active: benefit.status() == BenefitStatus::Active,
            relations: Vec::new(),
            supplement: None,
        });
        grant_from_cohort(cohort, promises.collect())
    });
    Ok(of_plans.chain(of_cohorts).collect())
}

/// The date of birth on the profile of the call's owner, if it is known.
///
/// # Errors
/// When the domain of profiles does not answer.
pub(crate) async fn load_birth_date(call: &Call) -> Result<Option<Date>> {
    let mut members = ProfileServiceClient::new(call.peer_channel("members"));
    let request = GetProfileRequest { identity_id: call.owner().to_owned() };
    match members.get_profile(Request::new(request)).await {
        Ok(profile) => Ok(profile.into_inner().date_of_birth),
        Err(status) if status.code() == Code::NotFound => Ok(None),
        Err(status) => Err(status.into()),
    }
}

async fn load_held(call: &Call) -> Result<Vec<Entitlement>> {
    let mut fulfillment = EntitlementServiceClient::new(call.peer_channel("fulfillment"));
    let (mut found, mut page_token) = (Vec::new(), String::new());
    loop {
        let identity_id = call.owner().to_owned();
        let request = ListEntitlementsRequest { identity_id, page_size: PAGE, page_token, ..Default::default() };
        let page = fulfillment.list_entitlements(Request::new(request)).await?.into_inner();
        found.extend(page.entitlements);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return Ok(found);
        }
    }
}

async fn load_covering(call: &Call) -> Result<Vec<Coverage>> {
    let mut fulfillment = EntitlementServiceClient::new(call.peer_channel("fulfillment"));
    let (mut found, mut page_token) = (Vec::new(), String::new());
    loop {
        let request = ListCoveragesRequest { identity_id: call.owner().to_owned(), page_size: PAGE, page_token };
        let page = fulfillment.list_coverages(Request::new(request)).await?.into_inner();
        found.extend(page.coverages);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return Ok(found);
        }
    }
}

/// The benefit cohorts of the call's owner: at most 50.
async fn load_cohorts(call: &Call) -> Result<Vec<BenefitCohort>> {
    let page = Page { size: PAGE, token: "", filters: Vec::new() };
    Ok(call.page_of::<BenefitCohort>(None, page).await?.0)
}

fn plan_from_entitlement(plan: &Entitlement) -> HeldPlan {
    HeldPlan {
        source: BenefitSource {
            r#type: BenefitSourceType::Entitlement.into(),
            entitlement_id: plan.id.clone(),
            product_id: plan.product_id.clone(),
            product_version: plan.product_version,
            name: plan.name.clone(),
            relation: RelationType::Primary.into(),
            ..BenefitSource::default()
        },
        relation: RelationType::Primary,
        state: SourceState {
            begins: plan.effective_on,
            ends: plan.ends_on,
            is_suspended: plan.status() == EntitlementStatus::Suspended,
            is_over: plan.status() == EntitlementStatus::Cancelled,
            is_set_up: is_set_up(plan.fulfillment_status()),
            region: plan.service_area(),
            supplement_ids: plan.supplement_ids.clone(),
            terms: None,
        },
        fulfillment: plan.fulfillment_status(),
        tier_id: plan.tier_id.clone(),
    }
}

fn plan_from_coverage(plan: &Coverage) -> HeldPlan {
    HeldPlan {
        source: BenefitSource {
            r#type: BenefitSourceType::Coverage.into(),
            entitlement_id: plan.entitlement_id.clone(),
            product_id: plan.product_id.clone(),
            product_version: plan.product_version,
            name: plan.name.clone(),
            relation: plan.relation_type,
            ..BenefitSource::default()
        },
        relation: plan.relation_type(),
        state: SourceState {
            begins: plan.covered_since,
            ends: plan.ends_on,
            is_suspended: plan.status() == EntitlementStatus::Suspended,
            is_over: plan.status() == EntitlementStatus::Cancelled,
            is_set_up: is_set_up(plan.fulfillment_status()),
            region: plan.service_area(),
            supplement_ids: plan.supplement_ids.clone(),
            terms: None,
        },
        fulfillment: plan.fulfillment_status(),
        tier_id: plan.tier_id.clone(),
    }
}

fn build_grant(plan: HeldPlan, known: Option<&PlanProduct>, promises: Vec<Promise>) -> Grant {
    let terms = known.map(|known| Terms::from_product(&known.product, &plan.tier_id));
    let state = SourceState { terms, ..plan.state };
    Grant { source: plan.source, relation: plan.relation, state, fulfillment: plan.fulfillment, promises }
}

fn grant_from_cohort(cohort: &BenefitCohort, promises: Vec<Promise>) -> Grant {
    Grant {
        source: BenefitSource {
            r#type: BenefitSourceType::BenefitCohort.into(),
            benefit_cohort_id: cohort.id.clone(),
            name: cohort.name.clone(),
            relation: RelationType::Primary.into(),
            ..BenefitSource::default()
        },
        relation: RelationType::Primary,
        state: SourceState {
            begins: cohort.starts_on,
            ends: cohort.ends_on,
            // A benefit cohort is given by hand: nobody waits for a company's answer.
            is_set_up: true,
            ..SourceState::default()
        },
        fulfillment: FulfillmentStatus::Fulfilled,
        promises,
    }
}

/// Whether the plan is set up at the companies that give its benefits. One that is to be changed was set up before.
fn is_set_up(status: FulfillmentStatus) -> bool {
    matches!(status, FulfillmentStatus::Fulfilled | FulfillmentStatus::PendingChange)
}

/// The benefits by id, each once, of all sources.
pub(crate) fn group_by_benefit(grants: &[Grant]) -> BTreeMap<&str, Vec<(&Grant, &Promise)>> {
    let mut groups: BTreeMap<&str, Vec<(&Grant, &Promise)>> = BTreeMap::new();
    for grant in grants {
        for promise in &grant.promises {
            groups.entry(promise.benefit.id.as_str()).or_default().push((grant, promise));
        }
    }
    groups
}
