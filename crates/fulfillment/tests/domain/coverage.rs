//! Tests of the data that people see of the plans that cover them.

use std::time::Duration;

use pavise_fulfillment::contract::orders::{Order, PersonalInfo};
use pavise_fulfillment::contract::v1::*;
use pavise_kernel::common::v1::{Date, RelationType};
use tonic::Code;

use crate::scene::{Scene, family};

const TODAY: Date = Date { year: 2026, month: 3, day: 2 };

fn ask(person: &str) -> ListCoveragesRequest {
    ListCoveragesRequest { identity_id: person.to_owned(), ..Default::default() }
}

async fn coverages(scene: &Scene, person: &'static str) -> Vec<Coverage> {
    scene.entitlements(person).list_coverages(ask(person)).await.unwrap().into_inner().coverages
}

/// The plans of a family, set up for two people besides the buyer.
async fn set_up(scene: &mut Scene) -> Vec<Entitlement> {
    scene.create(CreateProvisionRequest { holder_name: "Jane Doe".to_owned(), ..family() }).await;
    scene.run_workers().await;
    let request = ListEntitlementsRequest { identity_id: "buyer".to_owned(), ..Default::default() };
    scene.entitlements("buyer").list_entitlements(request).await.unwrap().into_inner().entitlements
}

#[tokio::test]
async fn covered_person_sees_the_plan_and_its_holder() {
    let mut scene = Scene::new().await;
    let plans = set_up(&mut scene).await;
    let names: Vec<&str> = plans[0].authorized_users.iter().map(|person| person.name.as_str()).collect();
    assert_eq!(names, ["Ann Doe", "Ben Doe"], "the holder reads their names on the plan");
    let seen = coverages(&scene, "identity-1").await;
    let expected = |plan: &Entitlement| Coverage {
        entitlement_id: plan.id.clone(),
        status: EntitlementStatus::Active.into(),
        product_id: plan.product_id.clone(),
        tier_id: "family".to_owned(),
        name: plan.name.clone(),
        family: plan.family.clone(),
        holder_name: "Jane Doe".to_owned(),
        relation_type: RelationType::Dependent.into(),
        covered_since: Some(TODAY),
        friendly_id: plan.friendly_id.clone(),
        product_version: plan.product_version,
        fulfillment_status: plan.fulfillment_status,
        ..Default::default()
    };
    assert_eq!(seen, plans.iter().map(expected).collect::<Vec<_>>());
    assert!(coverages(&scene, "buyer").await.is_empty(), "what is one's own is no coverage through somebody else");
}

#[tokio::test]
async fn covered_person_reads_nothing_of_the_holder() {
    let mut scene = Scene::new().await;
    let plan = set_up(&mut scene).await.remove(0);
    let (child, owner) = ("identity-1", "buyer".to_owned());
    let mut entitlements = scene.entitlements(child);
    for (identity_id, code) in [(child.to_owned(), Code::NotFound), (owner.clone(), Code::PermissionDenied)] {
        let get = GetEntitlementRequest { identity_id, entitlement_id: plan.id.clone() };
        assert_eq!(entitlements.get_entitlement(get).await.unwrap_err().code(), code);
    }
    assert_eq!(entitlements.list_coverages(ask("identity-2")).await.unwrap_err().code(), Code::PermissionDenied);
    let list = ListEntitlementsRequest { identity_id: owner.clone(), ..Default::default() };
    assert_eq!(entitlements.list_entitlements(list).await.unwrap_err().code(), Code::PermissionDenied);
    let remove = RemoveAuthorizedUsersRequest {
        identity_id: child.to_owned(),
        entitlement_id: plan.id.clone(),
        person_ids: vec!["identity-2".to_owned()],
    };
    assert_eq!(entitlements.remove_authorized_users(remove).await.unwrap_err().code(), Code::NotFound);
    let provision = GetProvisionRequest { provision_id: plan.provision_id };
    assert_eq!(scene.provisions(child).get_provision(provision).await.unwrap_err().code(), Code::NotFound);
    assert_eq!(scene.entitlements("").list_coverages(ask(child)).await.unwrap_err().code(), Code::Unauthenticated);
    assert_eq!(
        scene.entitlements("internal").list_coverages(ask(child)).await.unwrap().into_inner().coverages.len(),
        2
    );
}

#[tokio::test]
async fn a_coverage_begins_when_they_are_added_and_ends_when_they_are_taken_off() {
    let mut scene = Scene::new().await;
    let plan = set_up(&mut scene).await.remove(0);
    scene.clock.move_forward(Duration::from_secs(10 * 24 * 3600));
    let ids = || ("buyer".to_owned(), plan.id.clone());
    let mut buyer = scene.entitlements("buyer");
    let (identity_id, entitlement_id) = ids();
    let guest = EntitlementPerson {
        id: "guest".to_owned(),
        permission_type: RelationType::Spouse.into(),
        ..Default::default()
    };
    let add =
        AddAuthorizedUsersRequest { identity_id, entitlement_id, authorized_users: vec![guest], ..Default::default() };
    buyer.add_authorized_users(add).await.unwrap();
    let seen = coverages(&scene, "guest").await;
    assert_eq!(seen[0].covered_since, Some(Date { day: 12, ..TODAY }));
    assert_eq!(
        coverages(&scene, "identity-1").await.pop().unwrap().covered_since,
        Some(TODAY),
        "the others keep theirs"
    );

    let (identity_id, entitlement_id) = ids();
    let suspend =
        SuspendEntitlementRequest { identity_id, entitlement_id, reason: EntitlementStatusReason::Payment.into() };
    scene.entitlements("internal").suspend_entitlement(suspend).await.unwrap();
    assert_eq!(coverages(&scene, "guest").await[0].status(), EntitlementStatus::Suspended);

    let (identity_id, entitlement_id) = ids();
    let remove = RemoveAuthorizedUsersRequest { identity_id, entitlement_id, person_ids: vec!["guest".to_owned()] };
    buyer.remove_authorized_users(remove).await.unwrap();
    assert!(coverages(&scene, "guest").await.is_empty());

    let (identity_id, entitlement_id) = ids();
    let reason = EntitlementStatusReason::MemberRequest.into();
    let cancel = CancelEntitlementRequest { identity_id, entitlement_id, reason, ends_on: None };
    scene.entitlements("internal").cancel_entitlement(cancel).await.unwrap();
    assert_eq!(coverages(&scene, "identity-1").await.len(), 1, "what is over covers nobody");
}

#[tokio::test]
async fn coverages_come_in_pages() {
    let mut scene = Scene::new().await;
    set_up(&mut scene).await;
    let mut mine = scene.entitlements("identity-2");
    let first =
        mine.list_coverages(ListCoveragesRequest { page_size: 1, ..ask("identity-2") }).await.unwrap().into_inner();
    let page_token = first.next_page_token.clone();
    let rest = ListCoveragesRequest { page_size: 1, page_token: page_token.clone(), ..ask("identity-2") };
    let second = mine.list_coverages(rest).await.unwrap().into_inner();
    assert_eq!((first.coverages.len(), second.coverages.len(), second.next_page_token.as_str()), (1, 1, ""));
    assert_ne!(first.coverages, second.coverages);
    let stolen = ListCoveragesRequest { page_token, ..ask("identity-1") };
    assert_eq!(
        scene.entitlements("identity-1").list_coverages(stolen).await.unwrap_err().code(),
        Code::InvalidArgument
    );
}

#[tokio::test]
async fn a_person_known_by_another_id_is_covered_as_before() {
    let mut scene = Scene::new().await;
    let plan = set_up(&mut scene).await.remove(0);
    scene.clock.move_forward(Duration::from_secs(10 * 24 * 3600));
    let change = |person: &str, new: &str| ChangePersonRequest {
        entitlement_id: plan.id.clone(),
        person_id: person.to_owned(),
        new_person_id: new.to_owned(),
    };
    for who in ["buyer", "identity-1", "internal"] {
        let refused = scene.entitlements(who).change_person(change("identity-1", "ann")).await.unwrap_err();
        assert_eq!(refused.code(), Code::PermissionDenied, "{who}");
    }
    let before = coverages(&scene, "identity-1").await;
    let mut platform = scene.entitlements("machine");
    let after = platform.change_person(change("identity-1", "ann")).await.unwrap().into_inner();
    assert_eq!(
        platform.change_person(change("identity-1", "ann")).await.unwrap().into_inner(),
        after,
        "once is enough"
    );
    let of = |id: &str| coverages(&scene, if id == "ann" { "ann" } else { "identity-1" });
    let now = of("ann").await;
    assert_eq!(now, before.iter().filter(|one| one.entitlement_id == plan.id).cloned().collect::<Vec<_>>());
    assert!(of("identity-1").await.iter().all(|one| one.entitlement_id != plan.id));
    // A person who is covered or holds the plan is not added again, so that an undo loses nothing.
    for taken in ["identity-2", "buyer"] {
        assert_eq!(platform.change_person(change("ann", taken)).await.unwrap().into_inner(), after, "{taken}");
    }
    let back = platform.change_person(change("ann", "identity-1")).await.unwrap().into_inner();
    assert_eq!(back.authorized_users, plan.authorized_users);
    let none = ChangePersonRequest { entitlement_id: "none".to_owned(), ..change("ann", "ben") };
    assert_eq!(platform.change_person(none).await.unwrap_err().code(), Code::NotFound);
}

#[tokio::test]
async fn holder_without_a_name_is_called_as_on_the_order() {
    let mut scene = Scene::new().await;
    scene.create(family()).await;
    scene.run_workers().await;
    let names = async |scene: &Scene| {
        coverages(scene, "identity-1").await.into_iter().map(|coverage| coverage.holder_name).collect::<Vec<_>>()
    };
    assert_eq!(names(&scene).await, ["", ""], "the order does not answer");
    let buyer = PersonalInfo { first_name: "Jane".to_owned(), last_name: "Doe".to_owned(), ..Default::default() };
    let order = |owner: &str| Order {
        id: "order".to_owned(),
        owner_id: owner.to_owned(),
        personal_info: Some(buyer.clone()),
        ..Default::default()
    };
    scene.peers.was_ordered(order("somebody else"));
    assert_eq!(names(&scene).await, ["", ""], "it is not the holder's");
    scene.peers.was_ordered(order("buyer"));
    assert_eq!(names(&scene).await, ["Jane Doe", "Jane Doe"]);
    let list = ListEntitlementsRequest { identity_id: "buyer".to_owned(), ..Default::default() };
    let plan = scene.entitlements("buyer").list_entitlements(list).await.unwrap().into_inner().entitlements.remove(0);
    let replace = ReplaceEntitlementRequest {
        identity_id: "buyer".to_owned(),
        entitlement_id: plan.id,
        holder_name: "Janet Doe".to_owned(),
        effective_on: plan.effective_on,
        ..Default::default()
    };
    scene.entitlements("internal").replace_entitlement(replace).await.unwrap();
    assert_eq!(names(&scene).await, ["Janet Doe", "Jane Doe"], "what was said goes before");
}
