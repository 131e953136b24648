//! Cases for a review by staff: an earlier membership, colliding profiles.

use pavise_fulfillment::contract::members::ProfileMatchReason;
use pavise_fulfillment::contract::v1::{
    ActivateEntitlementRequest, CancelEntitlementRequest, CollisionReason, CreateEntitlementRequest,
    CreateProvisionRequest, Entitlement, EntitlementStatus, EntitlementStatusReason, GetEntitlementRequest,
    ProcessProvisionsRequest, ProfileCheckedRequest, ProfileDecision, ProfileMergedRequest, Provision,
    ProvisionStatus as Status, ReinstateRequest, ReinstatementStatus, SubmitAsNewRequest, SuspendRequest,
    UpdateReinstatementStatusRequest,
};
use pavise_fulfillment::contract::{catalog, identity};
use pavise_kernel::common::v1::{Date, RegionCode};
use tonic::Code;

use crate::scene::{Scene, WireFault, family};

/// A former member's cancelled entitlement of the family `lgl`.
async fn former(scene: &Scene) -> Entitlement {
    let mut entitlements = scene.entitlements("machine");
    let create = CreateEntitlementRequest {
        identity_id: "buyer".to_owned(),
        product_id: "legal-old".to_owned(),
        family: "lgl".to_owned(),
        ..Default::default()
    };
    let made = entitlements.create_entitlement(create).await.unwrap().into_inner();
    let cancel = CancelEntitlementRequest {
        identity_id: "buyer".to_owned(),
        entitlement_id: made.id,
        reason: EntitlementStatusReason::MemberRequest.into(),
        ends_on: None,
    };
    entitlements.cancel_entitlement(cancel).await.unwrap().into_inner()
}

async fn entitlement(scene: &Scene, id: &str) -> Entitlement {
    let request = GetEntitlementRequest { identity_id: "buyer".to_owned(), entitlement_id: id.to_owned() };
    scene.entitlements("internal").get_entitlement(request).await.unwrap().into_inner()
}

/// A provision whose match with `former` waits for a decision.
async fn matched(scene: &mut Scene) -> (Entitlement, Provision) {
    let former = former(scene).await;
    let id = scene.create(family()).await.id;
    scene.run_workers().await;
    let provision = scene.provision(&id).await;
    assert_eq!(provision.status(), Status::ReinstateChecked);
    let reinstatement = provision.reinstatement.clone().unwrap();
    assert_eq!((reinstatement.status(), reinstatement.holds), (ReinstatementStatus::Pending, true));
    assert_eq!((reinstatement.entitlement_id.as_str(), reinstatement.line_id.as_str()), (former.id.as_str(), "1"));
    (former, provision)
}

#[tokio::test]
async fn a_former_membership_comes_back() {
    let mut scene = Scene::new().await;
    let (former, provision) = matched(&mut scene).await;
    let request = ReinstateRequest { provision_id: provision.id.clone() };
    scene.provisions("internal").reinstate(request).await.unwrap();
    scene.run_workers().await;
    let done = scene.provision(&provision.id).await;
    assert_eq!(
        (done.status(), done.reinstatement.unwrap().status()),
        (Status::Completed, ReinstatementStatus::Reinstated)
    );
    assert_eq!(done.entitlement_ids[0], former.id, "the same entitlement");
    let back = entitlement(&scene, &former.id).await;
    assert_eq!((back.status(), back.status_reason()), (EntitlementStatus::Active, EntitlementStatusReason::Reinstate));
    assert_eq!((back.product_id.as_str(), back.tier_id.as_str(), back.ends_on), ("legal", "family", None));
    assert_eq!(back.subscription_id, done.subscription_id);
    assert_eq!(back.authorized_users.len(), 2);
    assert_ne!(done.entitlement_ids[1], former.id);
}

/// The legal plan in a version, with the contracts of two states.
fn legal(version: i32) -> catalog::Product {
    let variant = |region: RegionCode| catalog::StateVariant {
        region: region.into(),
        document_id: format!("{}-{version}", region.spelling()),
        ..Default::default()
    };
    let contract = catalog::ProductContract {
        id: "contract".to_owned(),
        variants: vec![variant(RegionCode::Tx), variant(RegionCode::Ny)],
        ..Default::default()
    };
    catalog::Product {
        id: "legal".to_owned(),
        product_version: version,
        contracts: vec![contract],
        ..Default::default()
    }
}

#[tokio::test]
async fn it_comes_back_as_it_was_bought_again_and_where_its_holder_is_now() {
    let mut scene = Scene::new().await;
    scene.peers.publishes(legal(1));
    let create = CreateEntitlementRequest {
        identity_id: "buyer".to_owned(),
        product_id: "legal".to_owned(),
        tier_id: "family".to_owned(),
        family: "lgl".to_owned(),
        service_area: RegionCode::Tx.into(),
        ..Default::default()
    };
    let made = scene.entitlements("machine").create_entitlement(create).await.unwrap().into_inner();
    assert_eq!((made.product_version, made.contracts[0].document_id.as_str()), (1, "TX-1"));
    let cancel = CancelEntitlementRequest {
        identity_id: "buyer".to_owned(),
        entitlement_id: made.id.clone(),
        reason: EntitlementStatusReason::MemberRequest.into(),
        ends_on: None,
    };
    scene.entitlements("machine").cancel_entitlement(cancel).await.unwrap();
    scene.peers.publishes(legal(2));
    let mut order = CreateProvisionRequest { service_area: RegionCode::Ny.into(), ..family() };
    order.lines[0].product_version = Some(2);
    let id = scene.create(order).await.id;
    scene.peers.publishes(legal(3));
    scene.run_workers().await;
    scene.provisions("internal").reinstate(ReinstateRequest { provision_id: id.clone() }).await.unwrap();
    scene.run_workers().await;
    assert_eq!(scene.provision(&id).await.entitlement_ids[0], made.id);
    let back = entitlement(&scene, &made.id).await;
    assert_eq!((back.product_version, back.service_area()), (2, RegionCode::Ny));
    assert_eq!(back.contracts.iter().map(|one| one.document_id.as_str()).collect::<Vec<_>>(), ["NY-2"]);
}

#[tokio::test]
async fn it_comes_back_once_whatever_call_gets_lost() {
    for loss in [WireFault::Before, WireFault::After] {
        for at in 1..200 {
            let mut scene = Scene::new().await;
            let (former, provision) = matched(&mut scene).await;
            let request = ReinstateRequest { provision_id: provision.id.clone() };
            scene.provisions("internal").reinstate(request).await.unwrap();
            scene.lose(at, loss);
            scene.run_workers().await;
            let done = scene.provision(&provision.id).await;
            assert_eq!(done.status(), Status::Completed, "{loss:?} of call {at}: {:?}", done.failure);
            assert_eq!(entitlement(&scene, &former.id).await.status(), EntitlementStatus::Active);
            assert_eq!(scene.peers.subscriptions().len(), 1);
            if !scene.lost() {
                break;
            }
        }
    }
}

#[tokio::test]
async fn or_a_new_one_is_made() {
    let mut scene = Scene::new().await;
    let (former, provision) = matched(&mut scene).await;
    scene
        .provisions("internal")
        .submit_as_new(SubmitAsNewRequest { provision_id: provision.id.clone() })
        .await
        .unwrap();
    scene.run_workers().await;
    let done = scene.provision(&provision.id).await;
    assert_eq!(
        (done.status(), done.reinstatement.clone().unwrap().status()),
        (Status::Completed, ReinstatementStatus::Ignored)
    );
    assert!(!done.entitlement_ids.contains(&former.id));
    assert_eq!(entitlement(&scene, &former.id).await.status(), EntitlementStatus::Cancelled);
}

#[tokio::test]
async fn or_it_ends() {
    let mut scene = Scene::new().await;
    let (_, provision) = matched(&mut scene).await;
    let suspend = SuspendRequest { provision_id: provision.id.clone(), cause: "under investigation".to_owned() };
    let suspended = scene.provisions("internal").suspend(suspend).await.unwrap().into_inner();
    assert_eq!(
        (suspended.status(), suspended.reinstatement.unwrap().status()),
        (Status::Failed, ReinstatementStatus::Suspended)
    );
    assert_eq!(suspended.failure.unwrap().cause, "under investigation");
    let process = ProcessProvisionsRequest { provision_ids: vec![provision.id.clone()] };
    assert_eq!(
        scene.provisions("internal").process_provisions(process).await.unwrap_err().code(),
        Code::FailedPrecondition
    );
    scene.run_workers().await;
    assert!(scene.peers.subscriptions().is_empty());
}

#[tokio::test]
async fn a_decision_is_final() {
    let mut scene = Scene::new().await;
    let (_, provision) = matched(&mut scene).await;
    let decide = UpdateReinstatementStatusRequest {
        provision_id: provision.id.clone(),
        status: ReinstatementStatus::Ignored.into(),
    };
    let decided = scene.provisions("internal").update_reinstatement_status(decide).await.unwrap().into_inner();
    assert_eq!(
        (decided.status(), decided.reinstatement.unwrap().status()),
        (Status::ReinstateChecked, ReinstatementStatus::Ignored)
    );
    let reinstate = ReinstateRequest { provision_id: provision.id.clone() };
    assert_eq!(scene.provisions("internal").reinstate(reinstate).await.unwrap_err().code(), Code::FailedPrecondition);
    scene
        .provisions("internal")
        .submit_as_new(SubmitAsNewRequest { provision_id: provision.id.clone() })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_match_that_no_longer_holds_needs_no_decision() {
    let mut scene = Scene::new().await;
    let former = former(&scene).await;
    let id = scene.create(family()).await.id;
    while scene.provision(&id).await.status() != Status::PotentialReinstatement {
        scene.step().await;
    }
    let activate = ActivateEntitlementRequest {
        identity_id: "buyer".to_owned(),
        entitlement_id: former.id.clone(),
        reason: EntitlementStatusReason::Reinstate.into(),
    };
    scene.entitlements("machine").activate_entitlement(activate).await.unwrap();
    scene.run_workers().await;
    let done = scene.provision(&id).await;
    assert_eq!(
        (done.status(), done.reinstatement.unwrap().status()),
        (Status::Completed, ReinstatementStatus::Ignored)
    );
}

/// A provision whose authorized user Ann has the address of another identity.
async fn colliding(scene: &mut Scene) -> Provision {
    let address = identity::Email { address: "Ann@Example.org".to_owned(), ..Default::default() };
    scene.peers.knows(identity::Identity { id: "known".to_owned(), emails: vec![address], ..Default::default() });
    let id = scene.create(family()).await.id;
    scene.run_workers().await;
    let provision = scene.provision(&id).await;
    assert_eq!(provision.status(), Status::PendingProfileReview);
    let collisions = provision.profile_review.clone().unwrap().collisions;
    assert_eq!((collisions[0].authorized_user_id.as_str(), collisions[0].identity_id.as_str()), ("1", "known"));
    provision
}

#[tokio::test]
async fn the_same_person_keeps_the_identity() {
    let mut scene = Scene::new().await;
    let provision = colliding(&mut scene).await;
    let checked = ProfileCheckedRequest { provision_id: provision.id.clone(), decisions: vec![] };
    scene.provisions("internal").profile_checked(checked).await.unwrap();
    scene.run_workers().await;
    let done = scene.provision(&provision.id).await;
    assert_eq!((done.status(), done.authorized_users[0].identity_id.as_str()), (Status::Completed, "known"));
    assert_eq!(scene.peers.identities().len(), 2, "only Ben is new");
}

#[tokio::test]
async fn another_person_needs_another_address() {
    let mut scene = Scene::new().await;
    let provision = colliding(&mut scene).await;
    let decision = ProfileDecision {
        authorized_user_id: "1".to_owned(),
        email: "ann.two@example.org".to_owned(),
        ..Default::default()
    };
    let checked = ProfileCheckedRequest { provision_id: provision.id.clone(), decisions: vec![decision] };
    scene.provisions("internal").profile_checked(checked).await.unwrap();
    scene.run_workers().await;
    let done = scene.provision(&provision.id).await;
    assert_eq!(done.status(), Status::Completed);
    assert_ne!(done.authorized_users[0].identity_id, "known");
}

/// People who are added without an address, so that profiles alone tell who they are.
fn children() -> CreateProvisionRequest {
    let mut request: CreateProvisionRequest = family();
    let born = Date { year: 2012, month: 3, day: 4 };
    for user in &mut request.authorized_users {
        user.email.clear();
        user.birth_date = Some(born);
    }
    request
}

#[tokio::test]
async fn a_person_whom_profiles_know_is_reviewed() {
    for (is_new_person, kept) in [(false, true), (true, false)] {
        let mut scene = Scene::new().await;
        let request = children();
        let first = request.authorized_users[0].first_name.clone();
        // The buyer is no collision.
        scene.peers.matches(&first, "buyer", ProfileMatchReason::PhoneAndName);
        scene.peers.matches(&first, "known", ProfileMatchReason::NameAndBirth);
        let id = scene.create(request).await.id;
        scene.run_workers().await;
        let provision = scene.provision(&id).await;
        assert_eq!(provision.status(), Status::PendingProfileReview);
        let collisions = provision.profile_review.unwrap().collisions;
        assert_eq!(collisions.len(), 1, "{collisions:?}");
        assert_eq!(
            (collisions[0].identity_id.as_str(), collisions[0].reason()),
            ("known", CollisionReason::NameAndBirth)
        );
        let decision =
            ProfileDecision { authorized_user_id: "1".to_owned(), is_new_person, ..ProfileDecision::default() };
        let decisions = if is_new_person { vec![decision] } else { vec![] };
        let checked = ProfileCheckedRequest { provision_id: id.clone(), decisions };
        scene.provisions("internal").profile_checked(checked).await.unwrap();
        scene.run_workers().await;
        let done = scene.provision(&id).await;
        assert_eq!(done.status(), Status::Completed);
        assert_eq!(done.authorized_users[0].identity_id == "known", kept);
    }
}

#[tokio::test]
async fn a_merge_says_who_is_left() {
    let mut scene = Scene::new().await;
    let provision = colliding(&mut scene).await;
    let unnamed = ProfileMergedRequest { provision_id: provision.id.clone(), ..Default::default() };
    assert_eq!(
        scene.provisions("internal").profile_merged(unnamed.clone()).await.unwrap_err().code(),
        Code::InvalidArgument
    );
    let decision = ProfileDecision {
        authorized_user_id: "1".to_owned(),
        identity_id: "survivor".to_owned(),
        ..Default::default()
    };
    let merged = ProfileMergedRequest { identity_merge_id: "merge".to_owned(), decisions: vec![decision], ..unnamed };
    scene.provisions("internal").profile_merged(merged).await.unwrap();
    scene.run_workers().await;
    let done = scene.provision(&provision.id).await;
    assert_eq!((done.status(), done.identity_merge_id.as_str()), (Status::Completed, "merge"));
    assert_eq!(done.authorized_users[0].identity_id, "survivor");
}

#[tokio::test]
async fn person_named_by_identity_does_not_collide() {
    let mut scene = Scene::new().await;
    let mut request: CreateProvisionRequest = family();
    request.authorized_users[0].identity_id = "known".to_owned();
    let address = identity::Email { address: "ann@example.org".to_owned(), ..Default::default() };
    scene.peers.knows(identity::Identity { id: "known".to_owned(), emails: vec![address], ..Default::default() });
    let id = scene.create(request).await.id;
    scene.run_workers().await;
    assert_eq!(scene.provision(&id).await.status(), Status::Completed);
}
