//! Cohorts of identities.

use pavise_kernel::Error;
use pavise_kernel::common::v1::{Date, RegionCode};
use pavise_orders::contract::v1::cohort_service_client::CohortServiceClient;
use pavise_orders::contract::v1::*;

use crate::scene::{ALICE, MALLORY, STAFF, Scene, request_by, scenes};

const JOURNAL: &str = "/pavise.orders.v1.CohortService/ReadJournal";

fn cohorts(scene: &Scene) -> CohortServiceClient<pavise_kernel::peers::Transport> {
    CohortServiceClient::new(scene.transport())
}

fn day(year: i32, month: i32, day: i32) -> Option<Date> {
    Some(Date { year, month, day })
}

fn license(region: RegionCode) -> CohortLicense {
    CohortLicense { region: region.into(), number: "TX-4711".into(), ends_on: day(2027, 6, 30) }
}

fn request(owner: &str, kind: CohortType) -> CreateCohortRequest {
    let sells = kind == CohortType::AssociateLicenses;
    CreateCohortRequest {
        identity_id: owner.into(),
        r#type: kind.into(),
        starts_on: day(2026, 1, 1),
        ends_on: None,
        source: "spring programme".into(),
        licenses: if sells { vec![license(RegionCode::Tx)] } else { Vec::new() },
    }
}

async fn create(scene: &Scene, who: &str, request: CreateCohortRequest) -> Result<Cohort, Error> {
    let answer = cohorts(scene).create_cohort(request_by(who, request)).await;
    answer.map(tonic::Response::into_inner).map_err(Error::from)
}

async fn change_owner(scene: &Scene, cohort: &Cohort, owner: &str) -> Result<Cohort, Error> {
    let request =
        ChangeCohortOwnerRequest { cohort_id: cohort.id.clone(), new_owner_id: owner.into(), ..Default::default() };
    let answer = cohorts(scene).change_cohort_owner(request_by(STAFF, request)).await;
    answer.map(tonic::Response::into_inner).map_err(Error::from)
}

#[tokio::test]
async fn an_identity_is_in_a_cohort_of_one_type_once() {
    for scene in scenes().await {
        let first = create(&scene, STAFF, request("alice", CohortType::ShieldAtWorkBeta)).await.unwrap();
        let again = create(&scene, STAFF, request("alice", CohortType::ShieldAtWorkBeta)).await.unwrap_err();
        assert_eq!((again.reason(), again.code()), ("ALREADY_IN_COHORT", tonic::Code::AlreadyExists));
        create(&scene, STAFF, request("alice", CohortType::AssociateLicenses)).await.unwrap();
        let of_bob = create(&scene, STAFF, request("bob", CohortType::ShieldAtWorkBeta)).await.unwrap();
        let taken = change_owner(&scene, &of_bob, "alice").await.unwrap_err();
        assert_eq!(taken.reason(), "ALREADY_IN_COHORT");

        let delete = DeleteCohortRequest { cohort_id: first.id.clone() };
        let deleted = cohorts(&scene).delete_cohort(request_by(STAFF, delete.clone())).await.unwrap().into_inner();
        assert_eq!(deleted.status(), CohortStatus::Deleted);
        assert_eq!(change_owner(&scene, &of_bob, "alice").await.unwrap().owner_id, "alice");
        let update = UpdateCohortRequest {
            cohort_id: first.id,
            starts_on: day(2026, 2, 1),
            source: "x".into(),
            ..Default::default()
        };
        let refused = cohorts(&scene).update_cohort(request_by(STAFF, update)).await.unwrap_err();
        assert_eq!(Error::from(refused).reason(), "STATUS_NOT_ALLOWED");
        let actions: Vec<String> = scene.read_journal(JOURNAL).await.into_iter().map(|entry| entry.action).collect();
        assert_eq!(actions, ["CREATED", "CREATED", "CREATED", "DELETED", "OWNER_CHANGED"]);
    }
}

#[tokio::test]
async fn an_update_replaces_the_days_the_source_and_the_licences() {
    for scene in scenes().await {
        let made = create(&scene, STAFF, request("alice", CohortType::AssociateLicenses)).await.unwrap();
        let with = |licenses: Vec<CohortLicense>, ends_on| UpdateCohortRequest {
            cohort_id: made.id.clone(),
            starts_on: day(2026, 2, 1),
            ends_on,
            source: "autumn programme".into(),
            licenses,
        };
        let mut service = cohorts(&scene);
        let both = vec![license(RegionCode::Oh), license(RegionCode::Tx)];
        let updated = service.update_cohort(request_by(STAFF, with(both, None))).await.unwrap().into_inner();
        assert_eq!((updated.licenses.len(), updated.source.as_str()), (2, "autumn programme"));
        for (wrong, field) in [
            (with(Vec::new(), None), "licenses"),
            (with(vec![license(RegionCode::Tx); 2], None), "licenses[1].region"),
            (with(vec![license(RegionCode::Tx)], day(2026, 1, 31)), "ends_on"),
        ] {
            let refused = Error::from(service.update_cohort(request_by(STAFF, wrong)).await.unwrap_err());
            assert_eq!(refused.violations()[0].field, field);
        }
    }
}

#[tokio::test]
async fn members_read_their_own_cohorts_and_change_none() {
    for scene in scenes().await {
        create(&scene, STAFF, request("alice", CohortType::ShieldAtWorkBeta)).await.unwrap();
        let list =
            |who: &str| request_by(who, ListCohortsRequest { identity_id: "alice".into(), ..Default::default() });
        let own = cohorts(&scene).list_cohorts(list(ALICE)).await.unwrap().into_inner().cohorts;
        assert_eq!(own.len(), 1);
        let foreign = cohorts(&scene).list_cohorts(list(MALLORY)).await.unwrap_err();
        assert_eq!(foreign.code(), tonic::Code::PermissionDenied);
        let refused = create(&scene, ALICE, request("alice", CohortType::AssociateLicenses)).await.unwrap_err();
        assert_eq!(refused.reason(), "REALM_NOT_ALLOWED");
    }
}
