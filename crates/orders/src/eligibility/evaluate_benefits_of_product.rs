//! Answers who of some people could use the benefits of a product.

use std::collections::BTreeSet;

use pavise_kernel::common::v1::RelationType;
use pavise_kernel::{Call, Error, Result, time};

use super::support::catalog::{load_benefits, load_current};
use super::support::promises::{Promise, Terms, allowance_of, list_promises};
use super::support::reasons::{Circumstances, SourceState, find_reasons};
use crate::contract::catalog::{AuthorizedUserType, Product, ProductStatus};
use crate::contract::roles;
use crate::contract::v1::{
    EligibilityPerson, EligibilityQuestion, EligibilityRelationType, EvaluateBenefitsOfProductRequest,
    EvaluateBenefitsOfProductResponse, Ineligibility, PersonEligibility, ProductBenefitEligibility,
};
use crate::shared::days::check_day;

pub(crate) async fn evaluate_benefits_of_product(
    call: &Call,
    request: EvaluateBenefitsOfProductRequest,
) -> Result<EvaluateBenefitsOfProductResponse> {
    let question = request.question.unwrap_or_default();
    check_people(call, &question.people)?;
    let day = check_day(call, "question.day", question.day)?;
    let known = load_current(call, &request.product_id).await?.map(|known| known.product);
    let is_shown = |product: &Product| call.has_role(roles::STAFF) || product.status() == ProductStatus::Active;
    let product = known.filter(is_shown).ok_or_else(|| Error::not_found("product", &request.product_id))?;
    let state = build_state(&product, &question)?;
    let ids: BTreeSet<String> = product.benefits.iter().map(|one| one.benefit_id.clone()).collect();
    let current = load_benefits(call, ids).await?;
    let circumstances = |person: &EligibilityPerson| Circumstances {
        day,
        region: question.region(),
        areas: &question.area_of_law_ids,
        born: person.birth_date,
    };
    let mut benefits: Vec<ProductBenefitEligibility> = Vec::new();
    for promise in list_promises(&product, &[], &current) {
        let people = question.people.iter().zip(0..).map(|(person, place)| {
            let reasons = find_for_person(&state, &promise, person.relation(), &circumstances(person));
            PersonEligibility { person: place, eligible: reasons.is_empty(), reasons }
        });
        benefits.push(ProductBenefitEligibility {
            benefit_id: promise.benefit.id.clone(),
            name: promise.benefit.name.clone(),
            allowance: allowance_of(&promise.benefit),
            people: people.collect(),
        });
    }
    benefits.sort_by(|one, other| (&one.name, &one.benefit_id).cmp(&(&other.name, &other.benefit_id)));
    Ok(EvaluateBenefitsOfProductResponse { benefits })
}

fn check_people(call: &Call, people: &[EligibilityPerson]) -> Result<()> {
    for (at, person) in people.iter().enumerate() {
        let born = person.birth_date;
        if born.is_some_and(|born| !time::is_real(born) || time::to_days(born) > time::to_days(call.today())) {
            return Err(Error::field(format!("question.people[{at}].birth_date"), "is no day of the past"));
        }
    }
    Ok(())
}

/// The plan that the people would have: begun long ago, set up, in the tier that the question names.
fn build_state(product: &Product, question: &EligibilityQuestion) -> Result<SourceState> {
    let tier_id = match (&product.tiers[..], question.tier_id.as_str()) {
        ([only], "") => only.id.as_str(),
        (_, "") => return Err(Error::field("question.tier_id", "the product has several tiers: name one")),
        (tiers, named) if tiers.iter().any(|tier| tier.id == named) => named,
        _ => return Err(Error::field("question.tier_id", "the product has no such tier")),
    };
    for (at, id) in question.supplement_ids.iter().enumerate() {
        if !product.supplements.iter().any(|one| one.id == *id) {
            let field = format!("question.supplement_ids[{at}]");
            return Err(Error::field(field, "the product has no such supplement"));
        }
    }
    Ok(SourceState {
        is_set_up: true,
        supplement_ids: question.supplement_ids.clone(),
        terms: Some(Terms::from_product(product, tier_id)),
        ..SourceState::default()
    })
}

/// The reasons for a person. With ANY, one relation of the tier without a reason is a yes; with ALL, each has to be.
fn find_for_person(
    state: &SourceState,
    promise: &Promise,
    asked: EligibilityRelationType,
    circumstances: &Circumstances<'_>,
) -> Vec<Ineligibility> {
    let relations = match asked {
        EligibilityRelationType::Any | EligibilityRelationType::All => list_relations(state),
        one => vec![RelationType::try_from(i32::from(one)).unwrap_or_default()],
    };
    let found = relations.iter().map(|relation| find_reasons(state, promise, *relation, circumstances));
    let found: Vec<Vec<Ineligibility>> = found.collect();
    if asked == EligibilityRelationType::Any && found.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let mut reasons: Vec<Ineligibility> = Vec::new();
    for one in found.into_iter().flatten() {
        if !reasons.contains(&one) {
            reasons.push(one);
        }
    }
    reasons.sort_by_key(|one| one.reason);
    reasons
}

/// The relations that the tier admits: the holder's, and those of its further users.
fn list_relations(state: &SourceState) -> Vec<RelationType> {
    let everybody = [AuthorizedUserType::Any, AuthorizedUserType::All].map(i32::from);
    let admitted = state.terms.as_ref().map(|terms| terms.admitted.as_slice()).unwrap_or_default();
    let is_open = admitted.iter().any(|kind| everybody.contains(kind));
    let all = (i32::from(RelationType::Spouse)..=i32::from(RelationType::SubAccount)).collect();
    let further = if is_open { all } else { admitted.to_vec() };
    let mut relations = vec![RelationType::Primary];
    for kind in further {
        relations.extend(RelationType::try_from(kind).ok().filter(|one| !relations.contains(one)));
    }
    relations
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::catalog::Benefit;

    const DAY: pavise_kernel::common::v1::Date = pavise_kernel::common::v1::Date { year: 2026, month: 3, day: 2 };

    fn promise(relations: &[RelationType]) -> Promise {
        let relations = relations.iter().map(|one| i32::from(*one)).collect();
        Promise { benefit: Benefit::default(), is_active: true, relations, supplement: None }
    }

    fn tier(admitted: &[RelationType]) -> SourceState {
        let admitted = admitted.iter().map(|one| i32::from(*one)).collect();
        let terms = Terms { coverage: 2, admitted, age_limits: Vec::new() };
        SourceState { is_set_up: true, terms: Some(terms), ..SourceState::default() }
    }

    #[test]
    fn any_is_one_relation_of_the_tier_and_all_is_each() {
        use EligibilityRelationType::{All, Any, Elder, Spouse};
        let circumstances = Circumstances { day: DAY, region: Default::default(), areas: &[], born: None };
        let admits = |tier: &SourceState, promise: &Promise, asked| {
            find_for_person(tier, promise, asked, &circumstances).is_empty()
        };
        let family = tier(&[RelationType::Spouse, RelationType::Dependent]);
        let for_spouses = promise(&[RelationType::Spouse]);
        assert!(admits(&family, &for_spouses, Any) && !admits(&family, &for_spouses, All));
        assert!(admits(&family, &promise(&[]), All) && admits(&family, &for_spouses, Spouse));
        let for_elders = promise(&[RelationType::Elder]);
        assert!(!admits(&family, &for_elders, Any), "the tier admits no ELDER");
        assert!(!admits(&family, &promise(&[]), Elder));
        let alone = tier(&[]);
        assert!(admits(&alone, &promise(&[RelationType::Primary]), All), "the holder is all that there is");
    }
}
