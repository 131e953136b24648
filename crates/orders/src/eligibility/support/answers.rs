//! The answers of eligibility, made of sources and circumstances.

use super::grants::{Grant, group_by_benefit};
use super::promises::{Promise, allowance_of};
use super::reasons::{Circumstances, find_reasons};
use crate::contract::v1::{BenefitEligibility, BenefitSource};

/// The benefits of these sources, by name and id. With `only`, just these benefits.
pub(crate) fn build_benefits(
    grants: &[Grant],
    only: &[String],
    circumstances: &Circumstances<'_>,
) -> Vec<BenefitEligibility> {
    let groups = group_by_benefit(grants).into_iter();
    let wanted = groups.filter(|(id, _)| only.is_empty() || only.iter().any(|one| one == id));
    let mut benefits: Vec<BenefitEligibility> =
        wanted.filter_map(|(id, promised)| build_benefit(id, &promised, circumstances)).collect();
    benefits.sort_by(|one, other| (&one.name, &one.benefit_id).cmp(&(&other.name, &other.benefit_id)));
    benefits
}

/// A benefit with the answers of its sources. Its name and allowance are those of the first source that gives it, or else
/// of the first.
fn build_benefit(
    id: &str,
    promised: &[(&Grant, &Promise)],
    circumstances: &Circumstances<'_>,
) -> Option<BenefitEligibility> {
    let sources: Vec<BenefitSource> =
        promised.iter().map(|(grant, promise)| answer_source(grant, promise, circumstances)).collect();
    let giving = sources.iter().position(|source| source.eligible);
    let (_, promise) = promised.get(giving.unwrap_or_default())?;
    Some(BenefitEligibility {
        benefit_id: id.to_owned(),
        name: promise.benefit.name.clone(),
        eligible: giving.is_some(),
        allowance: allowance_of(&promise.benefit),
        sources,
    })
}

fn answer_source(grant: &Grant, promise: &Promise, circumstances: &Circumstances<'_>) -> BenefitSource {
    let reasons = find_reasons(&grant.state, promise, grant.relation, circumstances);
    BenefitSource { eligible: reasons.is_empty(), reasons, ..grant.source.clone() }
}
