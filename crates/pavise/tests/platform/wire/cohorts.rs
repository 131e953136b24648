//! Cohorts, benefit cohorts and eligibility of a member with a plan, the same on every surface.

use pavise::demo::Story;
use pavise::wire::{Client, Failure, Refusal, Surface};
use pavise_catalog::demo::{LEGAL, WILL};
use serde_json::{Value, json};

async fn refused(client: &Client, name: &str, request: Value) -> Refusal {
    match client.call(name, request).await {
        Err(Failure::Refused(refusal)) => refusal,
        unexpected => panic!("{name}: {unexpected:?}"),
    }
}

/// Staff put the member into a cohort and give benefits; the member asks what they may use.
pub(super) async fn check(staff: &Client, member: &Client, surface: Surface, story: &Story) {
    cohorts(staff, member, surface, &story.identity_id).await;
    benefits(staff, member, surface, &story.identity_id).await;
    eligibility(staff, member, surface, &story.identity_id).await;
}

async fn cohorts(staff: &Client, member: &Client, surface: Surface, owner: &str) {
    let write = |kind: &str, licenses: Value| json!({"identityId": owner, "type": kind, "startsOn": "2026-01-01", "source": "wire", "licenses": licenses});
    let beta = write("SHIELD_AT_WORK_BETA", json!([]));
    let made = staff.call("cohorts.CreateCohort", beta.clone()).await.unwrap().json;
    let again = refused(staff, "cohorts.CreateCohort", beta).await;
    assert_eq!((again.code.as_str(), again.reason.as_str()), ("ALREADY_EXISTS", "ALREADY_IN_COHORT"), "{surface:?}");
    let bare = refused(staff, "cohorts.CreateCohort", write("ASSOCIATE_LICENSES", json!([]))).await;
    assert_eq!((bare.reason.as_str(), &*bare.fields), ("INVALID_FIELD", &["licenses".to_owned()][..]), "{surface:?}");
    let list = member.call("cohorts.ListCohorts", json!({"identityId": owner, "status": "ACTIVE"})).await.unwrap().json;
    assert_eq!(list["cohorts"][0]["id"], made["id"], "{surface:?}: {list}");
    let one = json!({"cohortId": made["id"]});
    assert_eq!(refused(member, "cohorts.DeleteCohort", one.clone()).await.reason, "REALM_NOT_ALLOWED");
    let update = json!({"cohortId": made["id"], "startsOn": "2026-02-01", "endsOn": "2026-12-31", "source": "wire"});
    let updated = staff.call("cohorts.UpdateCohort", update).await.unwrap().json;
    assert_eq!((&updated["endsOn"], &updated["type"]), (&json!("2026-12-31"), &json!("SHIELD_AT_WORK_BETA")));
    assert_eq!(staff.call("cohorts.DeleteCohort", one).await.unwrap().json["status"], "DELETED", "{surface:?}");
}

async fn benefits(staff: &Client, member: &Client, surface: Surface, owner: &str) {
    let write =
        |benefit: &str| json!({"identityId": owner, "name": "Amends", "benefitIds": [benefit], "source": "wire"});
    let foreign = refused(staff, "benefit_cohorts.CreateBenefitCohort", write("nothing")).await;
    assert_eq!(
        (foreign.reason.as_str(), &*foreign.fields),
        ("INVALID_FIELD", &["benefitIds[0]".to_owned()][..]),
        "{surface:?}"
    );
    let made = staff.call("benefit_cohorts.CreateBenefitCohort", write(WILL)).await.unwrap().json;
    let one = json!({"identityId": owner, "cohortId": made["id"]});
    let read = member.call("benefit_cohorts.GetBenefitCohort", one).await.unwrap().json;
    assert_eq!(read["benefitIds"], json!([WILL]), "{surface:?}");
    let remove = json!({"identityId": owner, "cohortId": made["id"], "benefitIds": [WILL]});
    let left = staff.call("benefit_cohorts.RemoveBenefitCohortBenefits", remove).await.unwrap().json;
    assert!(left["benefitIds"].as_array().is_none_or(Vec::is_empty), "{surface:?}: {left}");
}

/// The next read after a suspension knows it.
async fn eligibility(staff: &Client, member: &Client, surface: Surface, owner: &str) {
    let will = async || {
        let ask = json!({"userId": owner, "benefitIds": [WILL]});
        let answer = member.call("eligibility.GetBenefitsEligibilities", ask).await.unwrap().json;
        answer["benefits"][0].clone()
    };
    let before = will().await;
    assert_eq!(
        (&before["eligible"], &before["sources"][0]["type"]),
        (&json!(true), &json!("ENTITLEMENT")),
        "{surface:?}: {before}"
    );
    let plan = json!({"identityId": owner, "entitlementId": before["sources"][0]["entitlementId"]});
    staff.call("entitlements.SuspendEntitlement", plan.clone()).await.unwrap();
    let reasons = will().await["sources"][0]["reasons"].clone();
    assert_eq!(reasons[0]["reason"], "ENTITLEMENT_SUSPENDED", "{surface:?}: {reasons}");
    staff.call("entitlements.ActivateEntitlement", plan).await.unwrap();
    assert_eq!(will().await["eligible"], true, "{surface:?}");

    let by_product = json!({"userId": owner});
    let answer = member.call("eligibility.GetBenefitsEligibilitiesByProduct", by_product.clone()).await.unwrap().json;
    assert_eq!(answer["products"][0]["productId"], LEGAL, "{surface:?}");
    member.call("eligibility.GetBenefitsProvisioning", by_product).await.unwrap();
    let people = json!([{"relation": "PRIMARY"}, {"relation": "ANY"}]);
    let ask = |tier: &str| json!({"productId": LEGAL, "question": {"people": people, "tierId": tier}});
    let answer = member.call("eligibility.EvaluateBenefitsOfProduct", ask("family")).await.unwrap().json;
    assert_eq!(answer["benefits"][0]["people"][1]["eligible"], true, "{surface:?}");
    let wrong = refused(member, "eligibility.EvaluateBenefitsOfProduct", ask("none")).await;
    assert_eq!(wrong.reason, "INVALID_FIELD", "{surface:?}");
    let foreign = refused(member, "eligibility.GetBenefitsEligibilities", json!({"userId": "somebody"})).await;
    assert_eq!(foreign.code, "PERMISSION_DENIED", "{surface:?}");
}
