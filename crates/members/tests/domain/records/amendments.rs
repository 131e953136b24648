//! Amendments of members' contracts.

use pavise_kernel::Result;
use pavise_kernel::common::v1::{Date, GetMaxClockRequest};
use pavise_members::contract::v1::*;

use super::scene::{ALICE, MALLORY, PLATFORM, STAFF, Scene, fields, into_answer, refusal_reason, request_by, scenes};

/// The gRPC path of the journal.
const JOURNAL: &str = "/pavise.members.v1.AmendmentService/ReadJournal";

fn day(month: i32, day: i32) -> Option<Date> {
    Some(Date { year: 2026, month, day })
}

fn new(title: &str) -> CreateAmendmentRequest {
    CreateAmendmentRequest {
        identity_id: "alice".into(),
        entitlement_id: "alice's plan".into(),
        title: title.into(),
        document_id: "amendment-7".into(),
        effective_on: day(3, 1),
        ends_on: None,
    }
}

async fn make(scene: &Scene, who: &str, request: CreateAmendmentRequest) -> Result<Amendment> {
    into_answer(scene.amendments().create_amendment(request_by(who, request)).await)
}

async fn read(scene: &Scene, who: &str, owner: &str, id: &str) -> Result<Amendment> {
    let request = GetAmendmentRequest { identity_id: owner.into(), amendment_id: id.into() };
    into_answer(scene.amendments().get_amendment(request_by(who, request)).await)
}

async fn list(scene: &Scene, who: &str, request: ListAmendmentsRequest) -> Result<Vec<String>> {
    let page = into_answer(scene.amendments().list_amendments(request_by(who, request)).await)?;
    Ok(page.amendments.into_iter().map(|one| one.title).collect())
}

async fn take_back(scene: &Scene, who: &str, id: &str) -> Result<Amendment> {
    let request = DeleteAmendmentRequest { amendment_id: id.into() };
    into_answer(scene.amendments().delete_amendment(request_by(who, request)).await)
}

async fn give(scene: &Scene, who: &str, id: &str, from: &str, to: &str) -> Result<Amendment> {
    let request =
        ChangeAmendmentOwnerRequest { amendment_id: id.into(), identity_id: from.into(), new_owner_id: to.into() };
    into_answer(scene.amendments().change_amendment_owner(request_by(who, request)).await)
}

fn of_alice() -> ListAmendmentsRequest {
    ListAmendmentsRequest { identity_id: "alice".into(), ..ListAmendmentsRequest::default() }
}

#[tokio::test]
async fn an_amendment_stays_as_it_was_made_until_it_is_taken_back() {
    for scene in scenes().await {
        let first = make(&scene, STAFF, new("Trial defense")).await.unwrap();
        assert_eq!((first.status(), first.owner_id.as_str()), (AmendmentStatus::Active, "alice"));
        assert_eq!((first.effective_on, first.ends_on), (day(3, 1), None));
        make(&scene, PLATFORM, CreateAmendmentRequest { ends_on: day(3, 1), ..new("One day") }).await.unwrap();
        assert_eq!(list(&scene, STAFF, of_alice()).await.unwrap(), ["One day", "Trial defense"]);
        let deleted = take_back(&scene, STAFF, &first.id).await.unwrap();
        assert_eq!((deleted.status(), deleted.title.as_str()), (AmendmentStatus::Deleted, "Trial defense"));
        assert_eq!(read(&scene, STAFF, "alice", &first.id).await.unwrap(), deleted, "it stays readable");
        let only = |status: AmendmentStatus| ListAmendmentsRequest { status: status.into(), ..of_alice() };
        assert_eq!(list(&scene, STAFF, only(AmendmentStatus::Active)).await.unwrap(), ["One day"]);
        assert_eq!(list(&scene, STAFF, only(AmendmentStatus::Deleted)).await.unwrap(), ["Trial defense"]);
        let of_plan = ListAmendmentsRequest { entitlement_id: "bob's plan".into(), ..of_alice() };
        assert_eq!(list(&scene, STAFF, of_plan).await.unwrap(), [""; 0]);
        scene.plans.give("alice's plan", "bob");
        assert_eq!(refusal_reason(give(&scene, STAFF, &first.id, "", "bob").await), "STATUS_NOT_ALLOWED");
        assert_eq!(scene.actions(JOURNAL).await, ["CREATED", "CREATED", "DELETED"]);
        let ask = request_by(STAFF, GetMaxClockRequest {});
        assert_eq!(scene.amendments().get_max_clock(ask).await.unwrap().into_inner().max_clock, 3);
    }
}

#[tokio::test]
async fn an_amendment_needs_a_plan_of_the_member_a_document_and_days_in_order() {
    for scene in scenes().await {
        let cases = [
            (CreateAmendmentRequest { entitlement_id: "bob's plan".into(), ..new("A") }, "entitlement_id"),
            (CreateAmendmentRequest { entitlement_id: String::new(), ..new("A") }, "entitlement_id"),
            (CreateAmendmentRequest { document_id: String::new(), ..new("A") }, "document_id"),
            (CreateAmendmentRequest { effective_on: None, ..new("A") }, "effective_on"),
            (CreateAmendmentRequest { effective_on: day(2, 30), ..new("A") }, "effective_on"),
            (CreateAmendmentRequest { ends_on: day(2, 28), ..new("A") }, "ends_on"),
            (new(""), "title"),
            (new("spaces "), "title"),
            (new(&"x".repeat(201)), "title"),
        ];
        for (request, field) in cases {
            assert_eq!(fields(make(&scene, STAFF, request.clone()).await), [field], "{request:?}");
        }
    }
}

#[tokio::test]
async fn members_read_their_own_amendments_and_change_none() {
    for scene in scenes().await {
        let amendment = make(&scene, STAFF, new("Trial defense")).await.unwrap();
        assert_eq!(read(&scene, ALICE, "alice", &amendment.id).await.unwrap(), amendment);
        assert_eq!(list(&scene, ALICE, of_alice()).await.unwrap(), ["Trial defense"]);
        assert_eq!(list(&scene, "User/alice@sue:reads", of_alice()).await.unwrap(), ["Trial defense"]);
        assert_eq!(refusal_reason(read(&scene, MALLORY, "mallory", &amendment.id).await), "NOT_FOUND");
        assert_eq!(refusal_reason(read(&scene, MALLORY, "alice", &amendment.id).await), "NOT_THE_OWNER");
        assert_eq!(refusal_reason(list(&scene, MALLORY, of_alice()).await), "NOT_THE_OWNER");
        assert_eq!(refusal_reason(make(&scene, ALICE, new("Mine")).await), "REALM_NOT_ALLOWED");
        assert_eq!(refusal_reason(take_back(&scene, ALICE, &amendment.id).await), "REALM_NOT_ALLOWED");
        for who in ["GroupAdmin/ann/acme", "Partner/pat/+members.*"] {
            assert_eq!(refusal_reason(list(&scene, who, of_alice()).await), "REALM_NOT_ALLOWED", "{who}");
        }
    }
}

#[tokio::test]
async fn an_amendment_follows_its_plan() {
    for scene in scenes().await {
        let amendment = make(&scene, STAFF, new("Trial defense")).await.unwrap();
        let early = give(&scene, PLATFORM, &amendment.id, "alice", "bob").await;
        assert_eq!(refusal_reason(early), "ENTITLEMENT_OF_ANOTHER");
        scene.plans.give("alice's plan", "bob");
        let moved = give(&scene, PLATFORM, &amendment.id, "alice", "bob").await.unwrap();
        assert_eq!(moved.owner_id, "bob");
        scene.plans.give("alice's plan", "carol");
        let ended = give(&scene, PLATFORM, &amendment.id, "bob", "alice").await.unwrap();
        assert_eq!(ended.owner_id, "alice", "a plan that neither holds holds nothing up");
        assert_eq!(scene.actions(JOURNAL).await, ["CREATED", "OWNER_CHANGED", "OWNER_CHANGED"]);
    }
}
