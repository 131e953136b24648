//! The reasons why a source does not give a benefit. All of this is pure.

use pavise_cover::age_on;
use pavise_kernel::common::v1::{Date, RegionCode, RelationType};
use pavise_kernel::time::{from_days, to_days};

use super::promises::{Promise, Terms};
use crate::contract::catalog::AuthorizedUserType;
use crate::contract::v1::{Ineligibility, IneligibilityReason};

/// The circumstances in which a person needs a benefit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Circumstances<'a> {
    pub(crate) day: Date,
    /// Not set: the region of the source.
    pub(crate) region: RegionCode,
    /// The areas of law that they need; none means any.
    pub(crate) areas: &'a [String],
    /// Their date of birth, if it is known.
    pub(crate) born: Option<Date>,
}

/// A source of benefits, as far as it decides.
#[derive(Debug, Clone, Default)]
pub(crate) struct SourceState {
    pub(crate) begins: Option<Date>,
    pub(crate) ends: Option<Date>,
    pub(crate) is_suspended: bool,
    pub(crate) is_over: bool,
    /// Benefits that a company gives are set up.
    pub(crate) is_set_up: bool,
    /// The region in which it is used.
    pub(crate) region: RegionCode,
    pub(crate) supplement_ids: Vec<String>,
    /// The product's terms; none for a benefit cohort.
    pub(crate) terms: Option<Terms>,
}

/// All reasons why the source does not give the person the benefit. None is a yes.
pub(crate) fn find_reasons(
    source: &SourceState,
    promise: &Promise,
    relation: RelationType,
    circumstances: &Circumstances<'_>,
) -> Vec<Ineligibility> {
    let mut reasons = find_days(source, promise, circumstances.day);
    let mut add = |is_so: bool, reason: IneligibilityReason| {
        if is_so {
            reasons.push(build_ineligibility(reason));
        }
    };
    let benefit = &promise.benefit;
    add(!promise.is_active, IneligibilityReason::BenefitInactive);
    add(!is_covered(source, promise, relation), IneligibilityReason::RelationNotCovered);
    add(is_too_old(source, promise, relation, circumstances), IneligibilityReason::AgeReached);
    let region = if circumstances.region == RegionCode::Unspecified { source.region } else { circumstances.region };
    let is_asked = region != RegionCode::Unspecified && !benefit.regions.is_empty();
    add(is_asked && !benefit.regions.contains(&region.into()), IneligibilityReason::RegionNotServed);
    let lacks_areas = !circumstances.areas.iter().any(|area| benefit.area_of_law_ids.contains(area));
    add(!circumstances.areas.is_empty() && lacks_areas, IneligibilityReason::AreaOfLawNotCovered);
    let coverage = source.terms.as_ref().map_or(0, |terms| terms.coverage);
    let lacks_tier = coverage != 0 && !benefit.product_types.is_empty() && !benefit.product_types.contains(&coverage);
    add(lacks_tier, IneligibilityReason::TierLacksIt);
    let by_company = benefit.provisioning.as_ref().is_some_and(|setup| !setup.vendor.is_empty());
    add(by_company && !source.is_set_up, IneligibilityReason::NotSetUp);
    if let Some((id, name)) = promise.supplement.as_ref().filter(|(id, _)| !source.supplement_ids.contains(id)) {
        let missing = build_ineligibility(IneligibilityReason::SupplementMissing);
        reasons.push(Ineligibility { supplement_id: id.clone(), supplement_name: name.clone(), ..missing });
    }
    reasons.sort_by_key(|one| one.reason);
    reasons
}

/// The reasons of the source's days and status.
fn find_days(source: &SourceState, promise: &Promise, day: Date) -> Vec<Ineligibility> {
    let mut reasons = Vec::new();
    let day = to_days(day);
    if source.is_suspended {
        reasons.push(build_ineligibility(IneligibilityReason::EntitlementSuspended));
    }
    if source.is_over || source.ends.is_some_and(|ends| to_days(ends) < day) {
        reasons.push(build_ineligibility(IneligibilityReason::Ended));
    }
    let Some(begins) = source.begins else { return reasons };
    let usable = to_days(begins).saturating_add(i64::from(promise.benefit.waiting_days.max(0)));
    if day < to_days(begins) {
        let later = build_ineligibility(IneligibilityReason::NotStarted);
        reasons.push(Ineligibility { until: Some(begins), ..later });
    } else if day < usable {
        let waits = build_ineligibility(IneligibilityReason::WaitingPeriod);
        reasons.push(Ineligibility { until: Some(from_days(usable)), ..waits });
    }
    reasons
}

fn build_ineligibility(reason: IneligibilityReason) -> Ineligibility {
    Ineligibility { reason: reason.into(), ..Ineligibility::default() }
}

/// Whether the tier, the product and the benefit admit the relation. In a rule, ANY and ALL mean everybody covered.
fn is_covered(source: &SourceState, promise: &Promise, relation: RelationType) -> bool {
    let everybody = [AuthorizedUserType::Any, AuthorizedUserType::All].map(i32::from);
    let admits = |rule: &[i32]| {
        rule.is_empty() || rule.iter().any(|kind| everybody.contains(kind) || *kind == i32::from(relation))
    };
    let is_holder = relation == RelationType::Primary;
    let terms = source.terms.as_ref();
    let in_tier = is_holder || terms.is_none_or(|terms| terms.coverage == 0 || is_admitted(&terms.admitted, relation));
    in_tier && admits(&promise.relations) && admits(&promise.benefit.authorized_user_types)
}

/// Whether a tier admits the relation besides the holder. A tier that names none admits nobody.
fn is_admitted(admitted: &[i32], relation: RelationType) -> bool {
    let everybody = [AuthorizedUserType::Any, AuthorizedUserType::All].map(i32::from);
    admitted.iter().any(|kind| everybody.contains(kind) || *kind == i32::from(relation))
}

/// Whether the person has the age from which the benefit, or the product for their relation, is no longer given.
fn is_too_old(
    source: &SourceState,
    promise: &Promise,
    relation: RelationType,
    circumstances: &Circumstances<'_>,
) -> bool {
    let Some(born) = circumstances.born else { return false };
    let of_product = source.terms.as_ref().and_then(|terms| terms.age_limit(relation));
    let limits = [Some(promise.benefit.until_age).filter(|until| *until > 0), of_product];
    limits.into_iter().flatten().any(|until| age_on(born, circumstances.day) >= until)
}

#[cfg(test)]
#[path = "reasons_tests.rs"]
mod tests;
