//! An invited person is covered when they accept.

use std::time::Duration;

use pavise_fulfillment::contract::catalog::{AuthorizedUserType, Product, QualifyingDelegate, Tier};
use pavise_fulfillment::contract::identity::{Invitation, InvitationStatus, Invitee, ResourceType};
use pavise_fulfillment::contract::v1::*;
use pavise_kernel::common::v1::{Date, RelationType};
use pavise_kernel::time::to_timestamp;

use crate::scene::{NOW, Scene};

const WORKER: &str = "fulfillment.send_invitations";

async fn plan(scene: &Scene) -> Entitlement {
    let request = CreateEntitlementRequest {
        identity_id: "member".to_owned(),
        product_id: "legal".to_owned(),
        tier_id: "family".to_owned(),
        ..Default::default()
    };
    scene.entitlements("machine").create_entitlement(request).await.unwrap().into_inner()
}

/// An invitation of the member that was accepted.
fn accepted(plan: &Entitlement, by: &str) -> Invitation {
    let invitee =
        Invitee { name: "Grace".to_owned(), relation_type: RelationType::Spouse.into(), ..Default::default() };
    Invitation {
        owner_id: "member".to_owned(),
        status: InvitationStatus::Accepted.into(),
        invitee: Some(invitee),
        resource_type: ResourceType::Entitlement.into(),
        resource_id: plan.id.clone(),
        accepted_by_id: by.to_owned(),
        accepted_at: Some(to_timestamp(NOW)),
        ..Default::default()
    }
}

async fn people(scene: &Scene, plan: &Entitlement) -> Vec<EntitlementPerson> {
    let request = GetEntitlementRequest { identity_id: "member".to_owned(), entitlement_id: plan.id.clone() };
    scene.entitlements("member").get_entitlement(request).await.unwrap().into_inner().authorized_users
}

#[tokio::test]
async fn accepted_invitation_adds_its_person_once() {
    let scene = Scene::new().await;
    let plan = plan(&scene).await;
    let grace = accepted(&plan, "grace");
    scene.entry(WORKER, &grace, 7, "ACCEPTED").await.unwrap();
    let added = EntitlementPerson {
        id: "grace".to_owned(),
        permission_type: RelationType::Spouse.into(),
        name: "Grace".to_owned(),
        added_on: Some(Date { year: 2026, month: 3, day: 2 }),
        birth_date: None,
    };
    assert_eq!(people(&scene, &plan).await, [added]);
    // A replayed journal does not add a removed person again, with or without the idempotency record of the call.
    let remove = RemoveAuthorizedUsersRequest {
        identity_id: "member".to_owned(),
        entitlement_id: plan.id.clone(),
        person_ids: vec!["grace".to_owned()],
    };
    scene.entitlements("member").remove_authorized_users(remove).await.unwrap();
    scene.entry(WORKER, &grace, 7, "ACCEPTED").await.unwrap();
    assert!(people(&scene, &plan).await.is_empty());
    scene.clock.move_forward(Duration::from_secs(24 * 3600));
    scene.entry(WORKER, &grace, 8, "ACCEPTED").await.unwrap();
    assert!(people(&scene, &plan).await.is_empty());
}

#[tokio::test]
async fn invitation_beyond_the_tier_or_to_another_plan_adds_nobody() {
    let scene = Scene::new().await;
    let tier = Tier { id: "family".to_owned(), max_authorized_users: 1, ..Default::default() };
    scene.peers.sells(Product { id: "legal".to_owned(), tiers: vec![tier], ..Default::default() });
    let plan = plan(&scene).await;
    let foreign = Invitation { owner_id: "mallory".to_owned(), ..accepted(&plan, "mallory's friend") };
    let gone = Invitation { resource_id: "none".to_owned(), ..accepted(&plan, "grace") };
    let himself = accepted(&plan, "member");
    for refused in [foreign, gone, himself] {
        scene.entry(WORKER, &refused, 7, "ACCEPTED").await.unwrap();
    }
    assert!(people(&scene, &plan).await.is_empty());
    for (clock, who) in [(8, "grace"), (9, "joan")] {
        scene.entry(WORKER, &accepted(&plan, who), clock, "ACCEPTED").await.unwrap();
    }
    let ids: Vec<_> = people(&scene, &plan).await.into_iter().map(|person| person.id).collect();
    assert_eq!(ids, ["grace"], "the second waits for the holder");
}

/// Where the tier covers a relation up to an age, the day of birth decides.
#[tokio::test]
async fn person_of_unknown_age_waits_for_the_holder() {
    let scene = Scene::new().await;
    let tier = Tier { id: "family".to_owned(), max_authorized_users: 9, ..Default::default() };
    let until = |kind: AuthorizedUserType, until_age| QualifyingDelegate { r#type: kind.into(), most: 0, until_age };
    scene.peers.sells(Product {
        id: "legal".to_owned(),
        tiers: vec![tier],
        qualifying_delegates: vec![until(AuthorizedUserType::Spouse, 0), until(AuthorizedUserType::Dependent, 26)],
        ..Default::default()
    });
    let plan = plan(&scene).await;
    let born = |who: &str, birth_date: Option<Date>| {
        let mut invitation = Invitation { birth_date, ..accepted(&plan, who) };
        invitation.invitee.as_mut().unwrap().relation_type = RelationType::Dependent.into();
        invitation
    };
    let day = |year: i32| Some(Date { year, month: 1, day: 1 });
    let all = [accepted(&plan, "ann"), born("ben", None), born("cat", day(1990)), born("dan", day(2010))];
    for (clock, invitation) in (7..).zip(&all) {
        scene.entry(WORKER, invitation, clock, "ACCEPTED").await.unwrap();
    }
    let people = people(&scene, &plan).await;
    let found: Vec<_> = people.iter().map(|person| (person.id.as_str(), person.birth_date)).collect();
    assert_eq!(found, [("ann", None), ("dan", day(2010))], "a spouse of any age, and the child whose age is known");
}

#[tokio::test]
async fn incomplete_invitation_waits_for_the_holder() {
    let scene = Scene::new().await;
    let plan = plan(&scene).await;
    let with = |change: fn(&mut Invitation)| {
        let mut invitation = accepted(&plan, "grace");
        change(&mut invitation);
        invitation
    };
    let less = [
        with(|it| it.invitee.as_mut().unwrap().relation_type = RelationType::Unspecified.into()),
        with(|it| it.resource_type = ResourceType::Product.into()),
        with(|it| it.status = InvitationStatus::Pending.into()),
    ];
    for invitation in less {
        scene.entry(WORKER, &invitation, 7, "ACCEPTED").await.unwrap();
    }
    scene.entry(WORKER, &accepted(&plan, "grace"), 8, "UPDATED").await.unwrap();
    assert!(people(&scene, &plan).await.is_empty());
}
