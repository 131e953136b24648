//! Answers the benefits of a person, by product.

use std::collections::BTreeMap;

use pavise_kernel::{Call, Result};

use super::support::answers::build_benefits;
use super::support::grants::{Grant, load_birth_date, load_grants};
use super::support::reasons::Circumstances;
use crate::contract::v1::{
    GetBenefitsEligibilitiesByProductRequest, GetBenefitsEligibilitiesByProductResponse, ProductEligibility,
};
use crate::shared::days::check_day;

pub(crate) async fn get_benefits_eligibilities_by_product(
    call: &Call,
    request: GetBenefitsEligibilitiesByProductRequest,
) -> Result<GetBenefitsEligibilitiesByProductResponse> {
    let day = check_day(call, "day", request.day)?;
    let grants = load_grants(call, &request.entitlement_ids).await?;
    let born = load_birth_date(call).await?;
    let circumstances = Circumstances { day, region: request.region(), areas: &request.area_of_law_ids, born };
    let mut groups: BTreeMap<String, Vec<Grant>> = BTreeMap::new();
    for grant in grants {
        groups.entry(grant.source.product_id.clone()).or_default().push(grant);
    }
    let products = groups.into_iter().map(|(product_id, grants)| {
        let plan = grants.first().filter(|_| !product_id.is_empty());
        ProductEligibility {
            name: plan.map(|grant| grant.source.name.clone()).unwrap_or_default(),
            benefits: build_benefits(&grants, &request.benefit_ids, &circumstances),
            product_id,
        }
    });
    let mut products: Vec<ProductEligibility> = products.filter(|product| !product.benefits.is_empty()).collect();
    products.sort_by_key(|product| (product.product_id.is_empty(), product.name.clone(), product.product_id.clone()));
    Ok(GetBenefitsEligibilitiesByProductResponse { products })
}
