//! People without an account are added to a plan after its purchase.

use pavise_fulfillment::contract::catalog::{Product, Tier};
use pavise_fulfillment::contract::v1::*;
use pavise_kernel::common::v1::{Date, RelationType};
use tonic::{Code, Request};

use crate::scene::Scene;

async fn plan(scene: &Scene) -> Entitlement {
    let request = CreateEntitlementRequest {
        identity_id: "member".to_owned(),
        product_id: "legal".to_owned(),
        tier_id: "family".to_owned(),
        holder_name: "Jane Doe".to_owned(),
        ..Default::default()
    };
    scene.entitlements("machine").create_entitlement(request).await.unwrap().into_inner()
}

fn children(owner: &str, plan: &Entitlement, names: &[&str]) -> AddAuthorizedUsersRequest {
    let child = |name: &&str| Newcomer {
        name: (*name).to_owned(),
        permission_type: RelationType::Dependent.into(),
        birth_date: None,
    };
    AddAuthorizedUsersRequest {
        identity_id: owner.to_owned(),
        entitlement_id: plan.id.clone(),
        newcomers: names.iter().map(child).collect(),
        ..Default::default()
    }
}

#[tokio::test]
async fn a_child_gets_an_identity_that_nobody_signs_in_with() {
    let scene = Scene::new().await;
    let plan = plan(&scene).await;
    let keyed = || {
        let mut request = Request::new(children("member", &plan, &["Max Doe"]));
        request.metadata_mut().insert("idempotency-key", "k".parse().unwrap());
        request
    };
    let mut member = scene.entitlements("member");
    let after = member.add_authorized_users(keyed()).await.unwrap().into_inner();
    let child = EntitlementPerson {
        id: "identity-1".to_owned(),
        permission_type: RelationType::Dependent.into(),
        name: "Max Doe".to_owned(),
        added_on: Some(Date { year: 2026, month: 3, day: 2 }),
        birth_date: None,
    };
    assert_eq!(after.authorized_users, [child]);
    assert!(scene.peers.identities()[0].emails.is_empty());
    assert_eq!(member.add_authorized_users(keyed()).await.unwrap().into_inner(), after);
    assert_eq!(scene.peers.identities().len(), 1, "a repeat makes nobody");
    let seen = ListCoveragesRequest { identity_id: "identity-1".to_owned(), ..Default::default() };
    let seen = scene.entitlements("internal").list_coverages(seen).await.unwrap().into_inner().coverages;
    assert_eq!(seen[0].holder_name, "Jane Doe");
}

#[tokio::test]
async fn refused_and_validate_only_calls_make_no_identity() {
    let scene = Scene::new().await;
    let plan = plan(&scene).await;
    let stranger = scene.entitlements("stranger").add_authorized_users(children("stranger", &plan, &["Max"])).await;
    assert_eq!(stranger.unwrap_err().code(), Code::NotFound);
    let other = scene.entitlements("stranger").add_authorized_users(children("member", &plan, &["Max"])).await;
    assert_eq!(other.unwrap_err().code(), Code::PermissionDenied);
    let mut member = scene.entitlements("member");
    for nobody in [children("member", &plan, &[]), children("member", &plan, &[""])] {
        assert_eq!(member.add_authorized_users(nobody).await.unwrap_err().code(), Code::InvalidArgument);
    }
    let mut asks = Request::new(children("member", &plan, &["Max"]));
    asks.metadata_mut().insert("pavise-validate-only", "true".parse().unwrap());
    assert_eq!(
        member.add_authorized_users(asks).await.unwrap().into_inner().authorized_users.len(),
        1,
        "what would be"
    );
    let cancel = CancelEntitlementRequest {
        identity_id: "member".to_owned(),
        entitlement_id: plan.id.clone(),
        reason: EntitlementStatusReason::MemberRequest.into(),
        ends_on: None,
    };
    scene.entitlements("internal").cancel_entitlement(cancel).await.unwrap();
    let over = member.add_authorized_users(children("member", &plan, &["Max"])).await.unwrap_err();
    assert_eq!(over.code(), Code::FailedPrecondition);
    assert!(scene.peers.identities().is_empty());
}

#[tokio::test]
async fn a_member_adds_as_many_as_the_tier_covers() {
    let scene = Scene::new().await;
    let tier = Tier { id: "family".to_owned(), max_authorized_users: 2, ..Default::default() };
    scene.peers.sells(Product { id: "legal".to_owned(), tiers: vec![tier], ..Default::default() });
    let plan = plan(&scene).await;
    let mut member = scene.entitlements("member");
    let refused = member.add_authorized_users(children("member", &plan, &["Ann", "Ben", "Cat"])).await.unwrap_err();
    assert_eq!(
        (refused.code(), refused.message()),
        (Code::FailedPrecondition, "the plan covers 2 people besides the holder, not 3")
    );
    assert!(scene.peers.identities().is_empty(), "all or none");
    let two = member.add_authorized_users(children("member", &plan, &["Ann", "Ben"])).await.unwrap().into_inner();
    assert_eq!(two.authorized_users.len(), 2);
    let known = AddAuthorizedUsersRequest {
        authorized_users: vec![EntitlementPerson {
            id: two.authorized_users[0].id.clone(),
            permission_type: RelationType::Elder.into(),
            ..Default::default()
        }],
        ..children("member", &plan, &[])
    };
    let changed = member.add_authorized_users(known).await.unwrap().into_inner();
    assert_eq!(
        (changed.authorized_users[0].permission_type(), changed.authorized_users[0].name.as_str()),
        (RelationType::Elder, "Ann")
    );
    assert_eq!(
        member.add_authorized_users(children("member", &plan, &["Cat"])).await.unwrap_err().code(),
        Code::FailedPrecondition
    );
    let staff = scene.entitlements("internal").add_authorized_users(children("member", &plan, &["Cat"])).await.unwrap();
    assert_eq!(staff.into_inner().authorized_users.len(), 3, "staff decide themselves");
}

/// A plan seals the data of each person with that person's key, not with the holder's.
#[tokio::test]
async fn a_day_of_birth_belongs_to_the_person_on_the_plan() {
    let scene = Scene::new().await;
    let plan = plan(&scene).await;
    let mut ask = children("member", &plan, &["Max Doe"]);
    ask.newcomers[0].birth_date = Some(Date { year: 2015, month: 4, day: 3 });
    let after = scene.entitlements("member").add_authorized_users(ask).await.unwrap().into_inner();
    assert_eq!(after.authorized_users[0].birth_date.map(|born| born.year), Some(2015));
    let row = scene.store().get(&pavise_fulfillment::contract::ENTITLEMENT_TABLE, &plan.id).await.unwrap().unwrap();
    assert!(row.doc.contains("p/identity-1") && !row.doc.contains("2015-04"), "{}", row.doc);
}
