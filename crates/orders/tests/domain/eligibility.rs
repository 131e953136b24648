//! The benefits that a person may use, by plans, coverages and benefit cohorts.

use pavise_kernel::Error;
use pavise_kernel::common::v1::{Date, ProvisionType, RegionCode, RelationType};
use pavise_orders::contract::catalog::{
    AuthorizedUserType, Benefit, BenefitProvisioning, BenefitStatus, Coverage as TierCoverage, Product, ProductBenefit,
    ProductStatus, ProductVersion, QualifyingDelegate, Supplement, Tier,
};
use pavise_orders::contract::fulfillment::{Coverage, Entitlement, EntitlementStatus, FulfillmentStatus};
use pavise_orders::contract::members::Profile;
use pavise_orders::contract::v1::benefit_cohort_service_client::BenefitCohortServiceClient;
use pavise_orders::contract::v1::eligibility_service_client::EligibilityServiceClient;
use pavise_orders::contract::v1::*;

use crate::scene::{ALICE, MALLORY, STAFF, Scene, request_by, scene, scenes};

const BOB: &str = "User/bob";

fn service(scene: &Scene) -> EligibilityServiceClient<pavise_kernel::peers::Transport> {
    EligibilityServiceClient::new(scene.transport())
}

fn day(year: i32, month: i32, day: i32) -> Option<Date> {
    Some(Date { year, month, day })
}

fn benefit(id: &str, name: &str) -> Benefit {
    Benefit { id: id.into(), name: name.into(), status: BenefitStatus::Active.into(), ..Benefit::default() }
}

fn product() -> Product {
    let named = |id: &str, supplement: &str| ProductBenefit {
        id: id.into(),
        benefit_id: id.into(),
        supplement_id: supplement.into(),
        ..ProductBenefit::default()
    };
    let family = Tier {
        id: "family".into(),
        coverage: TierCoverage::Family.into(),
        authorized_user_types: vec![AuthorizedUserType::Spouse.into(), AuthorizedUserType::Dependent.into()],
        ..Tier::default()
    };
    Product {
        id: "legal".into(),
        status: ProductStatus::Active.into(),
        tiers: vec![family],
        benefits: vec![named("will", ""), named("credit", ""), named("guns", "gun-owners")],
        supplements: vec![Supplement { id: "gun-owners".into(), name: "Gun owners".into(), ..Supplement::default() }],
        qualifying_delegates: vec![QualifyingDelegate {
            r#type: AuthorizedUserType::Dependent.into(),
            most: 0,
            until_age: 26,
        }],
        ..Product::default()
    }
}

/// A legal plan of Alice that covers Bob as a dependent.
fn stock(scene: &Scene) {
    let by_company = BenefitProvisioning {
        vendor: "Sentinel".into(),
        r#type: ProvisionType::Immediate.into(),
        ..Default::default()
    };
    let credit = Benefit { provisioning: Some(by_company), ..benefit("credit", "Credit watch") };
    let benefits = vec![benefit("will", "Will"), credit, benefit("guns", "Guns")];
    let mut state = scene.peers.state();
    state.products = vec![product()];
    state.versions = vec![ProductVersion {
        product_id: "legal".into(),
        product_version: 1,
        product: Some(product()),
        benefits: benefits.clone(),
        ..ProductVersion::default()
    }];
    state.benefits = benefits;
    let plan = Entitlement {
        id: "plan".into(),
        owner_id: "alice".into(),
        status: EntitlementStatus::Active.into(),
        product_id: "legal".into(),
        product_version: 1,
        tier_id: "family".into(),
        name: "Legal Plan".into(),
        effective_on: day(2020, 1, 1),
        service_area: RegionCode::Tx.into(),
        fulfillment_status: FulfillmentStatus::PendingCreate.into(),
        ..Entitlement::default()
    };
    let coverage = Coverage {
        entitlement_id: plan.id.clone(),
        status: plan.status,
        product_id: plan.product_id.clone(),
        product_version: 1,
        tier_id: plan.tier_id.clone(),
        name: plan.name.clone(),
        relation_type: RelationType::Dependent.into(),
        covered_since: plan.effective_on,
        service_area: plan.service_area,
        fulfillment_status: plan.fulfillment_status,
        ..Coverage::default()
    };
    state.entitlements.insert(plan.id.clone(), plan);
    state.coverages = vec![("bob", coverage)];
}

fn ask(user: &str) -> GetBenefitsEligibilitiesRequest {
    GetBenefitsEligibilitiesRequest { user_id: user.into(), ..GetBenefitsEligibilitiesRequest::default() }
}

async fn benefits(scene: &Scene, who: &str, request: GetBenefitsEligibilitiesRequest) -> Vec<BenefitEligibility> {
    service(scene).get_benefits_eligibilities(request_by(who, request)).await.unwrap().into_inner().benefits
}

/// The reasons against a benefit, of its first source.
async fn reasons(
    scene: &Scene,
    who: &str,
    request: GetBenefitsEligibilitiesRequest,
    id: &str,
) -> Vec<IneligibilityReason> {
    let benefits = benefits(scene, who, request).await;
    let found = benefits.iter().find(|one| one.benefit_id == id).unwrap();
    found.sources[0].reasons.iter().map(Ineligibility::reason).collect()
}

#[tokio::test]
async fn each_source_is_a_yes_or_all_reasons_against_it() {
    for scene in scenes().await {
        stock(&scene);
        let found = benefits(&scene, ALICE, ask("alice")).await;
        let names: Vec<(&str, bool)> = found.iter().map(|one| (one.name.as_str(), one.eligible)).collect();
        assert_eq!(names, [("Credit watch", false), ("Guns", false), ("Will", true)]);
        let missing = &found[1].sources[0].reasons[0];
        assert_eq!(missing.reason(), IneligibilityReason::SupplementMissing);
        assert_eq!(missing.supplement_name, "Gun owners");
        assert_eq!(reasons(&scene, ALICE, ask("alice"), "credit").await, [IneligibilityReason::NotSetUp]);
        assert_eq!(found[2].sources[0].relation(), EligibilityRelationType::Primary);

        // The next read knows a suspension.
        scene.peers.state().entitlements.get_mut("plan").unwrap().status = EntitlementStatus::Suspended.into();
        let suspended = reasons(&scene, ALICE, ask("alice"), "will").await;
        assert_eq!(suspended, [IneligibilityReason::EntitlementSuspended]);
        scene.peers.state().benefits[0].status = BenefitStatus::Inactive.into();
        let both = reasons(&scene, ALICE, ask("alice"), "will").await;
        assert_eq!(both, [IneligibilityReason::EntitlementSuspended, IneligibilityReason::BenefitInactive]);
    }
}

#[tokio::test]
async fn a_child_is_covered_until_the_day_before_the_birthday() {
    for scene in scenes().await {
        stock(&scene);
        let born = Profile { date_of_birth: day(2000, 3, 3), ..Profile::default() };
        scene.peers.state().profiles.insert("bob".into(), born);
        let on = |day| GetBenefitsEligibilitiesRequest { day, ..ask("bob") };
        assert_eq!(reasons(&scene, BOB, on(day(2026, 3, 2)), "will").await, []);
        assert_eq!(reasons(&scene, BOB, on(day(2026, 3, 3)), "will").await, [IneligibilityReason::AgeReached]);
        let found = benefits(&scene, BOB, on(day(2026, 3, 2))).await;
        let source = &found.iter().find(|one| one.benefit_id == "will").unwrap().sources[0];
        assert_eq!(
            (source.r#type(), source.relation()),
            (BenefitSourceType::Coverage, EligibilityRelationType::Dependent)
        );
    }
}

#[tokio::test]
async fn a_benefit_cohort_gives_what_no_plan_does() {
    for scene in scenes().await {
        stock(&scene);
        let request = CreateBenefitCohortRequest {
            identity_id: "alice".into(),
            name: "Apology".into(),
            benefit_ids: vec!["guns".into()],
            source: "complaint".into(),
            ..CreateBenefitCohortRequest::default()
        };
        let mut cohorts = BenefitCohortServiceClient::new(scene.transport());
        cohorts.create_benefit_cohort(request_by(STAFF, request)).await.unwrap();
        let found = benefits(&scene, ALICE, ask("alice")).await;
        let guns = found.iter().find(|one| one.benefit_id == "guns").unwrap();
        assert!(guns.eligible, "one yes is a yes");
        let given: Vec<bool> = guns.sources.iter().map(|source| source.eligible).collect();
        assert_eq!(given, [false, true]);
        let only = GetBenefitsEligibilitiesRequest { entitlement_ids: vec!["plan".into()], ..ask("alice") };
        assert!(!benefits(&scene, ALICE, only).await.iter().any(|one| one.benefit_id == "guns" && one.eligible));

        let request = GetBenefitsEligibilitiesByProductRequest { user_id: "alice".into(), ..Default::default() };
        let answer = service(&scene).get_benefits_eligibilities_by_product(request_by(ALICE, request)).await.unwrap();
        let products = answer.into_inner().products;
        let counts: Vec<(&str, usize)> =
            products.iter().map(|one| (one.product_id.as_str(), one.benefits.len())).collect();
        assert_eq!(counts, [("legal", 3), ("", 1)], "benefit cohorts come last");
    }
}

#[tokio::test]
async fn the_set_up_says_who_how_and_how_far() {
    let scene = scene().await;
    stock(&scene);
    let request = GetBenefitsProvisioningRequest { user_id: "alice".into(), ..Default::default() };
    let answer = service(&scene).get_benefits_provisioning(request_by(ALICE, request)).await.unwrap();
    let [setup] = &answer.into_inner().setups[..] else { panic!("one benefit is set up") };
    assert_eq!((setup.name.as_str(), setup.vendor.as_str()), ("Credit watch", "Sentinel"));
    assert_eq!((setup.status(), setup.plan_name.as_str()), (BenefitSetupStatus::UnderWay, "Legal Plan"));
}

#[tokio::test]
async fn others_learn_nothing_of_a_person() {
    let scene = scene().await;
    stock(&scene);
    let refused = service(&scene).get_benefits_eligibilities(request_by(MALLORY, ask("alice"))).await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::PermissionDenied);
    let foreign = GetBenefitsEligibilitiesRequest { entitlement_ids: vec!["plan".into()], ..ask("mallory") };
    assert_eq!(benefits(&scene, MALLORY, foreign).await, [], "another's plan is none of theirs");
    let wrong = GetBenefitsEligibilitiesRequest { day: day(2026, 2, 30), ..ask("alice") };
    let wrong = service(&scene).get_benefits_eligibilities(request_by(ALICE, wrong)).await.unwrap_err();
    assert_eq!(Error::from(wrong).violations()[0].field, "day");
}

#[tokio::test]
async fn people_ask_before_they_are_members() {
    let scene = scene().await;
    stock(&scene);
    let person =
        |relation: EligibilityRelationType, birth_date| EligibilityPerson { relation: relation.into(), birth_date };
    let question = EligibilityQuestion {
        people: vec![
            person(EligibilityRelationType::Primary, None),
            person(EligibilityRelationType::Dependent, day(2000, 3, 3)),
            person(EligibilityRelationType::All, None),
            person(EligibilityRelationType::Elder, None),
        ],
        day: day(2026, 3, 3),
        ..EligibilityQuestion::default()
    };
    let evaluate = async |who: &str, product: &str, question: EligibilityQuestion| {
        let request = EvaluateBenefitsOfProductRequest { product_id: product.into(), question: Some(question) };
        service(&scene).evaluate_benefits_of_product(request_by(who, request)).await.map(tonic::Response::into_inner)
    };
    let answer = evaluate(ALICE, "legal", question.clone()).await.unwrap();
    let will = answer.benefits.iter().find(|one| one.benefit_id == "will").unwrap();
    let yes: Vec<bool> = will.people.iter().map(|one| one.eligible).collect();
    assert_eq!(yes, [true, false, true, false]);
    assert_eq!(will.people[1].reasons[0].reason(), IneligibilityReason::AgeReached);
    assert_eq!(will.people[3].reasons[0].reason(), IneligibilityReason::RelationNotCovered);

    let other = EligibilityQuestion { tier_id: "none".into(), ..question.clone() };
    let refused = Error::from(evaluate(ALICE, "legal", other).await.unwrap_err());
    assert_eq!(refused.violations()[0].field, "question.tier_id");
    scene.peers.state().products[0].status = ProductStatus::Created.into();
    let hidden = evaluate(ALICE, "legal", question.clone()).await.unwrap_err();
    assert_eq!(Error::from(hidden).reason(), "NOT_FOUND", "it is not for sale");
    evaluate(STAFF, "legal", question).await.unwrap();
}
