//! Benefits that identities have beside their plans.

use pavise_kernel::Error;
use pavise_orders::contract::catalog::{Benefit, BenefitStatus};
use pavise_orders::contract::v1::benefit_cohort_service_client::BenefitCohortServiceClient;
use pavise_orders::contract::v1::*;

use crate::scene::{ALICE, MALLORY, STAFF, Scene, request_by, scenes};

fn service(scene: &Scene) -> BenefitCohortServiceClient<pavise_kernel::peers::Transport> {
    BenefitCohortServiceClient::new(scene.transport())
}

/// Two benefits that are promised, and one that is not.
fn stock(scene: &Scene) {
    let benefit =
        |id: &str, status: BenefitStatus| Benefit { id: id.into(), status: status.into(), ..Benefit::default() };
    scene.peers.state().benefits = vec![
        benefit("will", BenefitStatus::Active),
        benefit("advice", BenefitStatus::Active),
        benefit("old", BenefitStatus::Inactive),
    ];
}

fn request(owner: &str, benefits: &[&str]) -> CreateBenefitCohortRequest {
    CreateBenefitCohortRequest {
        identity_id: owner.into(),
        name: "Apology".into(),
        benefit_ids: benefits.iter().map(|id| (*id).to_owned()).collect(),
        source: "complaint of 2 May".into(),
        ..CreateBenefitCohortRequest::default()
    }
}

async fn create(scene: &Scene, who: &str, request: CreateBenefitCohortRequest) -> Result<BenefitCohort, Error> {
    let answer = service(scene).create_benefit_cohort(request_by(who, request)).await;
    answer.map(tonic::Response::into_inner).map_err(Error::from)
}

#[tokio::test]
async fn only_active_benefits_are_given() {
    for scene in scenes().await {
        stock(&scene);
        let refused = create(&scene, STAFF, request("alice", &["old", "will", "nothing"])).await.unwrap_err();
        let places: Vec<&str> = refused.violations().iter().map(|one| one.field.as_str()).collect();
        assert_eq!(places, ["benefit_ids[0]", "benefit_ids[2]"]);
        let made = create(&scene, STAFF, request("alice", &["will"])).await.unwrap();
        assert!(made.starts_on.is_some(), "from today on");
        let add = |ids: &[&str]| AddBenefitCohortBenefitsRequest {
            identity_id: "alice".into(),
            cohort_id: made.id.clone(),
            benefit_ids: ids.iter().map(|id| (*id).to_owned()).collect(),
        };
        let refused = service(&scene).add_benefit_cohort_benefits(request_by(STAFF, add(&["old"]))).await.unwrap_err();
        assert_eq!(Error::from(refused).violations()[0].field, "benefit_ids[0]");
        let added = service(&scene).add_benefit_cohort_benefits(request_by(STAFF, add(&["will", "advice"]))).await;
        assert_eq!(added.unwrap().into_inner().benefit_ids, ["will", "advice"], "each once");
        let remove = RemoveBenefitCohortBenefitsRequest {
            identity_id: "alice".into(),
            cohort_id: made.id.clone(),
            benefit_ids: vec!["will".into(), "gone".into()],
        };
        let left = service(&scene).remove_benefit_cohort_benefits(request_by(STAFF, remove)).await.unwrap();
        assert_eq!(left.into_inner().benefit_ids, ["advice"]);
    }
}

#[tokio::test]
async fn an_identity_has_fifty_benefit_cohorts_at_most() {
    for scene in scenes().await {
        stock(&scene);
        for _ in 0..50 {
            create(&scene, STAFF, request("alice", &["will"])).await.unwrap();
        }
        let refused = create(&scene, STAFF, request("alice", &["will"])).await.unwrap_err();
        assert_eq!(refused.reason(), "TOO_MANY_BENEFIT_COHORTS");
        let of_bob = create(&scene, STAFF, request("bob", &["will"])).await.unwrap();
        let change = ChangeBenefitCohortOwnerRequest {
            identity_id: "bob".into(),
            cohort_id: of_bob.id,
            new_owner_id: "alice".into(),
        };
        let refused = service(&scene).change_benefit_cohort_owner(request_by(STAFF, change)).await.unwrap_err();
        assert_eq!(Error::from(refused).reason(), "TOO_MANY_BENEFIT_COHORTS");
    }
}

#[tokio::test]
async fn members_read_their_own_and_give_themselves_nothing() {
    for scene in scenes().await {
        stock(&scene);
        let made = create(&scene, STAFF, request("alice", &["will"])).await.unwrap();
        let get = |who: &str| {
            let request = GetBenefitCohortRequest { identity_id: "alice".into(), cohort_id: made.id.clone() };
            request_by(who, request)
        };
        assert_eq!(service(&scene).get_benefit_cohort(get(ALICE)).await.unwrap().into_inner().name, "Apology");
        assert_eq!(
            service(&scene).get_benefit_cohort(get(MALLORY)).await.unwrap_err().code(),
            tonic::Code::PermissionDenied
        );
        let refused = create(&scene, ALICE, request("alice", &["will"])).await.unwrap_err();
        assert_eq!(refused.reason(), "REALM_NOT_ALLOWED");
    }
}

#[tokio::test]
async fn the_service_says_how_it_is() {
    for scene in scenes().await {
        let health = service(&scene).get_health(tonic::Request::new(GetHealthRequest {})).await.unwrap().into_inner();
        assert_eq!((health.status.as_str(), health.max_clock), ("UP", 0));
    }
}
