//! The calls of entitlements.

use pavise_fulfillment::contract::MIGRATIONS;
use pavise_fulfillment::contract::v1::*;
use pavise_kernel::common::v1::{ContractType, Date, ProvisionType, RegionCode, RelationType};
use pavise_kernel::migrations::Migration;
use pavise_kernel::worker;
use pavise_testkit::scene::Engine;
use tonic::Code;

use crate::scene::Scene;

const TODAY: Date = Date { year: 2026, month: 3, day: 2 };

async fn created(scene: &Scene) -> Entitlement {
    let request = CreateEntitlementRequest {
        identity_id: "member".to_owned(),
        product_id: "legal".to_owned(),
        family: "lgl".to_owned(),
        provisioning_type: ProvisionType::Immediate.into(),
        ..Default::default()
    };
    scene.entitlements("machine").create_entitlement(request).await.unwrap().into_inner()
}

fn person(id: &str) -> EntitlementPerson {
    EntitlementPerson { id: id.to_owned(), permission_type: RelationType::Spouse.into(), ..Default::default() }
}

/// The migration that gives entitlements from before versions were kept the first one.
fn product_versions(of: &[Migration]) -> &'static str {
    of.iter().find(|step| step.sql.contains("productVersion")).unwrap().sql
}

#[tokio::test]
async fn an_entitlement_from_before_versions_were_kept_has_the_first() {
    let steps = [product_versions(MIGRATIONS.sqlite), product_versions(MIGRATIONS.postgres)];
    for (engine, step) in [Engine::Sqlite, Engine::Postgres].into_iter().zip(steps) {
        let scene = Scene::on(engine).await;
        let (before, other) = (created(&scene).await, created(&scene).await);
        assert_eq!(before.product_version, 0);
        scene.database().execute(step).await;
        scene.database().execute(step).await;
        for made in [before, other] {
            let find = GetEntitlementRequest { identity_id: "member".to_owned(), entitlement_id: made.id.clone() };
            let now = scene.entitlements("internal").get_entitlement(find).await.unwrap().into_inner();
            assert_eq!(now, Entitlement { product_version: 1, ..made }, "nothing else changes");
        }
    }
}

#[tokio::test]
async fn an_entitlement_is_suspended_activated_and_cancelled() {
    let scene = Scene::new().await;
    let made = created(&scene).await;
    assert_eq!(
        (made.status(), made.fulfillment_status(), made.effective_on),
        (EntitlementStatus::Active, FulfillmentStatus::PendingCreate, Some(TODAY))
    );
    let ids = || ("member".to_owned(), made.id.clone());
    let mut internal = scene.entitlements("internal");

    let (identity_id, entitlement_id) = ids();
    let suspend =
        SuspendEntitlementRequest { identity_id, entitlement_id, reason: EntitlementStatusReason::Payment.into() };
    let suspended = internal.suspend_entitlement(suspend.clone()).await.unwrap().into_inner();
    assert_eq!(
        (suspended.status(), suspended.status_reason()),
        (EntitlementStatus::Suspended, EntitlementStatusReason::Payment)
    );
    let repeat = internal.suspend_entitlement(suspend.clone()).await.unwrap().into_inner();
    assert_eq!(repeat.version, suspended.version, "repeat-safe");
    let other = SuspendEntitlementRequest { reason: EntitlementStatusReason::Internal.into(), ..suspend };
    let other = internal.suspend_entitlement(other).await.unwrap().into_inner();
    assert_eq!((other.status_reason(), other.version), (EntitlementStatusReason::Internal, suspended.version + 1));

    let (identity_id, entitlement_id) = ids();
    let activate =
        ActivateEntitlementRequest { identity_id, entitlement_id, reason: EntitlementStatusReason::Payment.into() };
    let active = internal.activate_entitlement(activate.clone()).await.unwrap().into_inner();
    assert_eq!(active.status(), EntitlementStatus::Active);

    let (identity_id, entitlement_id) = ids();
    let cancel = CancelEntitlementRequest {
        identity_id,
        entitlement_id,
        reason: EntitlementStatusReason::MemberRequest.into(),
        ends_on: None,
    };
    let cancelled = internal.cancel_entitlement(cancel).await.unwrap().into_inner();
    assert_eq!((cancelled.status(), cancelled.ends_on), (EntitlementStatus::Cancelled, Some(TODAY)));

    let reinstate = ActivateEntitlementRequest { reason: EntitlementStatusReason::Reinstate.into(), ..activate };
    assert_eq!(
        internal.activate_entitlement(reinstate.clone()).await.unwrap_err().code(),
        Code::FailedPrecondition,
        "only by a machine"
    );
    let back = scene.entitlements("machine").activate_entitlement(reinstate).await.unwrap().into_inner();
    assert_eq!((back.status(), back.ends_on), (EntitlementStatus::Active, None));
    let actions: Vec<String> = entries(&scene).await.into_iter().map(|(action, _)| action).collect();
    assert_eq!(
        actions,
        ["CREATED", "STATUS_UPDATE", "STATUS_UPDATE", "STATUS_UPDATE", "STATUS_UPDATE", "STATUS_UPDATE"]
    );
}

/// The journal of entitlements: actions and states.
async fn entries(scene: &Scene) -> Vec<(String, Entitlement)> {
    let request = pavise_kernel::common::v1::ReadJournalRequest::default();
    let page = scene.entitlements("machine").read_journal(request).await.unwrap().into_inner();
    let state =
        |entry| worker::decode_entity::<Entitlement>(&entry).unwrap().map(|state| (entry.action, state)).unwrap();
    page.entries.into_iter().map(state).collect()
}

#[tokio::test]
async fn cancelled_entitlements_cannot_change() {
    let scene = Scene::new().await;
    let made = created(&scene).await;
    let (identity_id, entitlement_id) = ("member".to_owned(), made.id);
    let cancel = CancelEntitlementRequest {
        identity_id: identity_id.clone(),
        entitlement_id: entitlement_id.clone(),
        reason: EntitlementStatusReason::Internal.into(),
        ends_on: None,
    };
    let mut machine = scene.entitlements("machine");
    machine.cancel_entitlement(cancel).await.unwrap();
    let fulfil = FulfillEntitlementRequest {
        identity_id: identity_id.clone(),
        entitlement_id: entitlement_id.clone(),
        ..Default::default()
    };
    assert_eq!(machine.fulfill_entitlement(fulfil).await.unwrap_err().code(), Code::FailedPrecondition);
    let area = ChangeServiceAreaRequest {
        identity_id: identity_id.clone(),
        entitlement_id: entitlement_id.clone(),
        service_area: RegionCode::Ok.into(),
    };
    assert_eq!(machine.change_service_area(area).await.unwrap_err().code(), Code::FailedPrecondition);
    // Its owner can still change (lifecycles).
    let owner = ChangeOwnerRequest { identity_id, entitlement_id, new_owner_id: "other".to_owned() };
    assert_eq!(machine.change_owner(owner).await.unwrap().into_inner().owner_id, "other");
}

#[tokio::test]
async fn fulfilment_and_setup_go_their_way() {
    let scene = Scene::new().await;
    let made = created(&scene).await;
    let mut machine = scene.entitlements("machine");
    let fulfil = |status: FulfillmentStatus| FulfillEntitlementRequest {
        identity_id: "member".to_owned(),
        entitlement_id: made.id.clone(),
        fulfillment_status: status.into(),
    };
    assert_eq!(
        machine.fulfill_entitlement(fulfil(FulfillmentStatus::PendingChange)).await.unwrap_err().code(),
        Code::FailedPrecondition
    );
    let done = machine.fulfill_entitlement(fulfil(FulfillmentStatus::Unspecified)).await.unwrap().into_inner();
    assert_eq!(done.fulfillment_status(), FulfillmentStatus::Fulfilled);
    let change = ChangeProductRequest {
        identity_id: "member".to_owned(),
        entitlement_id: made.id.clone(),
        product_id: "legal-plus".to_owned(),
        ..Default::default()
    };
    let changed = machine.change_product(change).await.unwrap().into_inner();
    assert_eq!(
        (changed.product_id.as_str(), changed.fulfillment_status()),
        ("legal-plus", FulfillmentStatus::PendingChange)
    );
    let setup = SetUpEntitlementRequest { identity_id: "member".to_owned(), entitlement_id: made.id.clone() };
    assert_eq!(machine.set_up_entitlement(setup).await.unwrap().into_inner().setup_status(), SetupStatus::Setup);
}

#[tokio::test]
async fn member_manages_the_people_of_the_own_plan() {
    let scene = Scene::new().await;
    let made = created(&scene).await;
    let (identity_id, entitlement_id) = ("member".to_owned(), made.id.clone());
    let mut member = scene.entitlements("member");
    let add = AddAuthorizedUsersRequest {
        identity_id: identity_id.clone(),
        entitlement_id: entitlement_id.clone(),
        authorized_users: vec![person("ann"), person("ben")],
        ..Default::default()
    };
    assert_eq!(member.add_authorized_users(add).await.unwrap().into_inner().authorized_users.len(), 2);
    let own = AddDelegatesRequest {
        identity_id: identity_id.clone(),
        entitlement_id: entitlement_id.clone(),
        delegates: vec![person("member")],
    };
    assert_eq!(member.add_delegates(own).await.unwrap_err().code(), Code::InvalidArgument);
    let replace = ReplaceAuthorizedUserRequest {
        identity_id: identity_id.clone(),
        entitlement_id: entitlement_id.clone(),
        person_id: "ann".to_owned(),
        replacement: Some(person("cat")),
    };
    let replaced = member.replace_authorized_user(replace.clone()).await.unwrap().into_inner();
    assert_eq!(
        member.replace_authorized_user(replace).await.unwrap().into_inner(),
        replaced,
        "a repeat changes nothing"
    );
    let remove = RemoveAuthorizedUsersRequest {
        identity_id,
        entitlement_id,
        person_ids: vec!["ben".to_owned(), "nobody".to_owned()],
    };
    let left = member.remove_authorized_users(remove).await.unwrap().into_inner();
    assert_eq!(left.authorized_users, [EntitlementPerson { added_on: Some(TODAY), ..person("cat") }]);
}

#[tokio::test]
async fn a_number_for_people_is_nobody_elses() {
    let scene = Scene::new().await;
    let mut machine = scene.entitlements("machine");
    for (at, entitlement) in [created(&scene).await, created(&scene).await].into_iter().enumerate() {
        let name = UpdateFriendlyIdRequest {
            identity_id: "member".to_owned(),
            entitlement_id: entitlement.id,
            friendly_id: "100200300".to_owned(),
        };
        let answer = machine.update_friendly_id(name).await;
        assert_eq!(answer.is_ok(), at == 0);
        if let Err(refused) = answer {
            assert_eq!(refused.code(), Code::AlreadyExists);
        }
    }
}

#[tokio::test]
async fn contracts_are_added_once_each() {
    let scene = Scene::new().await;
    let made = created(&scene).await;
    let contract = |name: &str| EntitlementContract {
        id: "c1".to_owned(),
        r#type: ContractType::Contract.into(),
        name: name.to_owned(),
        effective_on: None,
        document_id: String::new(),
    };
    let add = |name: &str| AddContractsRequest {
        identity_id: "member".to_owned(),
        entitlement_id: made.id.clone(),
        contracts: vec![contract(name)],
    };
    let mut internal = scene.entitlements("internal");
    internal.add_contracts(add("first")).await.unwrap();
    assert_eq!(internal.add_contracts(add("second")).await.unwrap().into_inner().contracts, [contract("second")]);
}

#[tokio::test]
async fn a_list_is_narrowed_by_what_is_asked() {
    let scene = Scene::new().await;
    let made = created(&scene).await;
    let mut member = scene.entitlements("member");
    let ask = |family: &str, status: EntitlementStatus| ListEntitlementsRequest {
        identity_id: "member".to_owned(),
        family: family.to_owned(),
        status: status.into(),
        ..Default::default()
    };
    let found = member.list_entitlements(ask("lgl", EntitlementStatus::Active)).await.unwrap().into_inner();
    assert_eq!(found.entitlements, [made]);
    for nothing in [ask("ids", EntitlementStatus::Unspecified), ask("", EntitlementStatus::Cancelled)] {
        assert!(member.list_entitlements(nothing).await.unwrap().into_inner().entitlements.is_empty());
    }
}

#[tokio::test]
async fn deleted_entitlement_is_gone_and_stays_in_the_journal() {
    let scene = Scene::new().await;
    let made = created(&scene).await;
    let (identity_id, entitlement_id) = ("member".to_owned(), made.id);
    let delete = DeleteEntitlementRequest { identity_id: identity_id.clone(), entitlement_id: entitlement_id.clone() };
    scene.entitlements("internal").delete_entitlement(delete).await.unwrap();
    let get = GetEntitlementRequest { identity_id, entitlement_id };
    assert_eq!(scene.entitlements("member").get_entitlement(get).await.unwrap_err().code(), Code::NotFound);
    assert_eq!(entries(&scene).await.last().unwrap().0, "DELETED");
}

#[tokio::test]
async fn an_entitlement_is_taken_over_as_it_is_known_elsewhere() {
    let scene = Scene::new().await;
    let mut machine = scene.entitlements("machine");
    let state = MigratedEntitlement {
        status: EntitlementStatus::Suspended.into(),
        product_id: "legal".to_owned(),
        fulfillment_status: FulfillmentStatus::Fulfilled.into(),
        setup_status: SetupStatus::Setup.into(),
        effective_on: Some(Date { year: 2011, ..TODAY }),
        friendly_id: "100200300".to_owned(),
        ..Default::default()
    };
    let import = ImportEntitlementRequest { identity_id: "member".to_owned(), state: Some(state.clone()) };
    assert_eq!(
        scene.entitlements("internal").import_entitlement(import.clone()).await.unwrap_err().code(),
        Code::PermissionDenied
    );
    let made = machine.import_entitlement(import).await.unwrap().into_inner();
    assert_eq!(
        (made.status(), made.friendly_id.as_str(), made.effective_on.unwrap().year),
        (EntitlementStatus::Suspended, "100200300", 2011)
    );
    let cancelled = MigratedEntitlement { status: EntitlementStatus::Cancelled.into(), ends_on: Some(TODAY), ..state };
    let migrate =
        MigrateEntitlementRequest { identity_id: "member".to_owned(), entitlement_id: made.id, state: Some(cancelled) };
    let migrated = machine.migrate_entitlement(migrate).await.unwrap().into_inner();
    assert_eq!((migrated.status(), migrated.ends_on, migrated.version), (EntitlementStatus::Cancelled, Some(TODAY), 2));
    assert_eq!(
        entries(&scene).await.into_iter().map(|(action, _)| action).collect::<Vec<_>>(),
        ["MIGRATION_UPDATE", "MIGRATION_UPDATE"]
    );
}
