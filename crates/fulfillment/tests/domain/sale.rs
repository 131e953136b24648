//! A funded offer becomes identities, a subscription and entitlements, whatever calls are lost on the way.

use std::collections::BTreeSet;

use pavise_fulfillment::contract::v1::{
    CreateProvisionRequest, Entitlement, FulfillmentStatus, ListEntitlementsRequest, ProcessProvisionsRequest,
    Provision, ProvisionBusiness, ProvisionLine, ProvisionStatus as Status, ProvisionStep, SetupStatus,
    UpdateProvisionFieldsRequest,
};
use pavise_fulfillment::contract::{catalog, identity, orders, v1::AuthorizedUserCorrection};
use pavise_kernel::common::v1::{BillingPeriod, ClassicIdType, ProvisionType};
use pavise_kernel::worker;

use crate::scene::{Scene, WireFault, family, line, user};

async fn entitlements(scene: &Scene) -> Vec<Entitlement> {
    let request = ListEntitlementsRequest { identity_id: "buyer".to_owned(), ..Default::default() };
    scene.entitlements("internal").list_entitlements(request).await.unwrap().into_inner().entitlements
}

/// The statuses in the journal, without repetitions.
async fn statuses(scene: &Scene, id: &str) -> Vec<&'static str> {
    let entries = scene.entries().await.into_iter().filter(|entry| entry.entity_id == id);
    let mut statuses: Vec<_> =
        entries.map(|entry| worker::decode_entity::<Provision>(&entry).unwrap().unwrap().status().spelling()).collect();
    statuses.dedup();
    statuses
}

async fn sold(scene: &Scene, id: &str) {
    let provision = scene.provision(id).await;
    assert_eq!(provision.status(), Status::Completed, "{:?}", provision.failure);
    assert_eq!(provision.attempts, 1);

    let identities: Vec<String> = scene.peers.identities().into_iter().map(|identity| identity.id).collect();
    let recorded: Vec<String> = provision.authorized_users.iter().map(|user| user.identity_id.clone()).collect();
    assert_eq!(identities, recorded, "one identity for each authorized user");

    let subscriptions = scene.peers.subscriptions();
    assert_eq!(subscriptions.len(), 1, "billed once");
    assert_eq!(provision.subscription_id, subscriptions[0].id);
    let prices: Vec<i64> = subscriptions[0].items.iter().map(|item| item.price.unwrap().amount).collect();
    assert_eq!(prices, [2995, 1495]);

    let mut made = entitlements(scene).await;
    made.reverse();
    assert_eq!(made.iter().map(|one| one.id.clone()).collect::<Vec<_>>(), provision.entitlement_ids);
    assert_eq!(made.iter().map(|one| one.product_id.as_str()).collect::<Vec<_>>(), ["legal", "identity"]);
    for one in made {
        assert_eq!(
            (one.fulfillment_status(), one.setup_status()),
            (FulfillmentStatus::Fulfilled, SetupStatus::NotSetup)
        );
        assert_eq!(
            (one.subscription_id.as_str(), one.provision_id.as_str(), one.order_id.as_str()),
            ("subscription-1", id, "order")
        );
        assert_eq!(one.authorized_users.iter().map(|person| person.id.clone()).collect::<Vec<_>>(), recorded);
    }
}

#[tokio::test]
async fn a_funded_offer_goes_all_the_way() {
    let mut scene = Scene::new().await;
    let id = scene.create(family()).await.id;
    scene.run_workers().await;
    sold(&scene, &id).await;
    let way = [
        "CREATED",
        "STARTED",
        "IN_PROGRESS",
        "IDENTITIES_ADDED",
        "CLASSIC_MAPS_ADDED",
        "SUBSCRIPTION_AND_ENTITLEMENT_ADDED",
        "COMPLETED",
    ];
    assert_eq!(statuses(&scene, &id).await, way);
    let requests: BTreeSet<String> = scene.entries().await.into_iter().map(|entry| entry.request_id).collect();
    assert_eq!(requests.len(), 1, "the request that began it goes through the whole journal");
    scene.replay().await;
    sold(&scene, &id).await;
}

#[tokio::test]
async fn sale_ends_alike_whichever_call_is_lost() {
    for loss in [WireFault::Before, WireFault::After] {
        for at in 1..200 {
            let mut scene = Scene::new().await;
            scene.lose(at, loss);
            let id = scene.create(family()).await.id;
            scene.run_workers().await;
            sold(&scene, &id).await;
            if !scene.lost() {
                assert!(at > 20, "a sale takes more than {at} calls");
                break;
            }
        }
    }
}

#[tokio::test]
async fn a_business_is_made_with_its_plan_before_the_end() {
    for ordered in [true, false] {
        let mut scene = Scene::new().await;
        let mut request = family();
        request.lines[0].business = true;
        let business = ProvisionBusiness { name: "Bakery".to_owned(), ..Default::default() };
        request.business = Some(business);
        if ordered {
            let (name, email) = ("Lee Bread".to_owned(), "bread@example.com".to_owned());
            let business_info = Some(orders::BusinessInfo { name, email, ..Default::default() });
            let (id, owner_id) = ("order".to_owned(), "buyer".to_owned());
            scene.peers.was_ordered(orders::Order { id, owner_id, business_info, ..Default::default() });
        }
        let id = scene.create(request).await.id;
        scene.run_workers().await;
        let provision = scene.provision(&id).await;
        assert_eq!(provision.status(), Status::Completed);
        let businesses = scene.peers.businesses();
        assert_eq!(businesses.len(), 1);
        assert_eq!((provision.business_id.as_str(), businesses[0].id.as_str()), ("business 1", "business 1"));
        assert_eq!(businesses[0].name, if ordered { "Lee Bread" } else { "Bakery" });
        assert_eq!(businesses[0].emails.len(), usize::from(ordered));
        let plan = &provision.lines[0].entitlement_id;
        assert_eq!(&businesses[0].associated_entitlement_ids, std::slice::from_ref(plan), "the other plan is private");
        assert!(statuses(&scene, &id).await.contains(&"BUSINESS_ADDED"));
    }
}

#[tokio::test]
async fn one_business_is_made_whichever_call_is_lost() {
    for loss in [WireFault::Before, WireFault::After] {
        for at in 1..200 {
            let mut scene = Scene::new().await;
            scene.lose(at, loss);
            let mut request = family();
            request.lines[0].business = true;
            let id = scene.create(request).await.id;
            scene.run_workers().await;
            assert_eq!(scene.provision(&id).await.business_id, "business 1");
            assert_eq!(scene.peers.businesses().len(), 1);
            if !scene.lost() {
                break;
            }
        }
    }
}

#[tokio::test]
async fn one_time_products_have_no_subscription() {
    let mut scene = Scene::new().await;
    let mut once = line("book", "books", 0);
    once.billing_period = BillingPeriod::OneTime.into();
    let id = scene.create(CreateProvisionRequest { lines: vec![once], authorized_users: vec![], ..family() }).await.id;
    scene.run_workers().await;
    let provision = scene.provision(&id).await;
    assert_eq!((provision.status(), provision.subscription_id.as_str()), (Status::Completed, ""));
    assert!(scene.peers.subscriptions().is_empty());
    assert_eq!(entitlements(&scene).await[0].subscription_id, "");
}

#[tokio::test]
async fn on_first_use_waits_for_the_call_that_names_it() {
    let mut scene = Scene::new().await;
    let id =
        scene.create(CreateProvisionRequest { provision_type: ProvisionType::OnFirstUse.into(), ..family() }).await.id;
    scene.run_workers().await;
    assert_eq!(scene.provision(&id).await.status(), Status::Created);
    assert_eq!(scene.update_status(&id, Status::Started).await.unwrap_err().code(), tonic::Code::FailedPrecondition);

    let process = ProcessProvisionsRequest { provision_ids: vec![id.clone()] };
    let queued = scene.provisions("buyer").process_provisions(process.clone()).await.unwrap().into_inner();
    assert_eq!(queued.provisions[0].status(), Status::Process);
    let again = scene.provisions("buyer").process_provisions(process).await.unwrap().into_inner();
    assert_eq!(again, queued, "queued once");
    scene.run_workers().await;
    sold(&scene, &id).await;
}

#[tokio::test]
async fn an_entitlement_of_first_use_waits_while_the_others_are_fulfilled() {
    let mut scene = Scene::new().await;
    let mut request = family();
    request.lines[1].provision_type = ProvisionType::OnFirstUse.into();
    scene.create(request).await;
    scene.run_workers().await;
    let made = entitlements(&scene).await;
    let waits: Vec<_> = made.iter().map(|one| (one.product_id.as_str(), one.fulfillment_status())).collect();
    assert_eq!(waits, [("identity", FulfillmentStatus::PendingCreate), ("legal", FulfillmentStatus::Fulfilled)]);
}

#[tokio::test]
async fn the_numbers_of_the_classic_system_are_recorded() {
    let mut scene = Scene::new().await;
    let number = |value: &str| identity::LinkedClassicId {
        r#type: ClassicIdType::Member.into(),
        value: value.to_owned(),
        ..Default::default()
    };
    scene.peers.knows(identity::Identity {
        id: "buyer".to_owned(),
        classic_ids: vec![number("17"), number("18")],
        ..Default::default()
    });
    let id = scene.create(CreateProvisionRequest { authorized_users: vec![], ..family() }).await.id;
    scene.run_workers().await;
    let maps = scene.provision(&id).await.classic_maps;
    let values: Vec<_> =
        maps.iter().map(|map| (map.identity_id.as_str(), map.classic_id.as_ref().unwrap().value.as_str())).collect();
    assert_eq!(values, [("buyer", "17"), ("buyer", "18")]);
}

#[tokio::test]
async fn a_failed_step_is_named_and_tried_again() {
    let mut scene = Scene::new().await;
    let id = scene.create(family()).await.id;
    // Between the checks and the identities, a stranger takes the address.
    while scene.provision(&id).await.status() != Status::InProgress {
        scene.step().await;
    }
    let taken = identity::Email { address: "ANN@example.org".to_owned(), ..Default::default() };
    scene.peers.knows(identity::Identity { id: "somebody".to_owned(), emails: vec![taken], ..Default::default() });
    scene.run_workers().await;
    let failed = scene.provision(&id).await;
    let failure = failed.failure.clone().unwrap();
    assert_eq!(
        (failed.status(), failure.step(), failure.status()),
        (Status::Failed, ProvisionStep::Identities, Status::InProgress)
    );
    assert_eq!(failure.reason, "PROFILE_COLLISION");
    assert!(!failure.cause.contains('@'), "no personal data: {}", failure.cause);

    let correction = AuthorizedUserCorrection {
        authorized_user_id: "1".to_owned(),
        email: Some("ann.doe@example.org".to_owned()),
        ..Default::default()
    };
    let correct = UpdateProvisionFieldsRequest {
        provision_id: id.clone(),
        authorized_users: vec![correction],
        ..Default::default()
    };
    let corrected = scene.provisions("internal").update_provision_fields(correct).await.unwrap().into_inner();
    assert_eq!((corrected.status(), corrected.authorized_users[0].first_name.as_str()), (Status::Failed, "Ann"));
    scene
        .provisions("internal")
        .process_provisions(ProcessProvisionsRequest { provision_ids: vec![id.clone()] })
        .await
        .unwrap();
    scene.run_workers().await;
    let done = scene.provision(&id).await;
    assert_eq!((done.status(), done.attempts, done.failure), (Status::Completed, 2, None));
    assert_eq!(scene.peers.subscriptions().len(), 1);
}

#[tokio::test]
async fn an_offer_of_an_order_is_provisioned_once() {
    let scene = Scene::new().await;
    scene.create(family()).await;
    let again = CreateProvisionRequest { authorized_users: vec![user("Ann", "")], ..family() };
    assert_eq!(
        scene.provisions("machine").create_provision(again).await.unwrap_err().code(),
        tonic::Code::AlreadyExists
    );
    // Provisions without an order do not block each other.
    for _ in 0..2 {
        scene
            .create(CreateProvisionRequest { order_offer_id: String::new(), order_id: String::new(), ..family() })
            .await;
    }
}

#[tokio::test]
async fn failed_provisions_are_left_alone() {
    let mut scene = Scene::new().await;
    let id = scene.create(family()).await.id;
    scene.update_status(&id, Status::Deleted).await.unwrap();
    scene.run_workers().await;
    assert_eq!(scene.provision(&id).await.status(), Status::Deleted);
    assert!(scene.peers.identities().is_empty());
    assert_eq!(scene.update_status(&id, Status::Started).await.unwrap_err().code(), tonic::Code::FailedPrecondition);
}

#[tokio::test]
async fn a_status_that_does_not_follow_is_refused_with_those_that_do() {
    let scene = Scene::new().await;
    let id = scene.create(family()).await.id;
    let refused = scene.update_status(&id, Status::Completed).await.unwrap_err();
    let next = "DELETED, PENDING_PROFILE_REVIEW, POTENTIAL_REINSTATEMENT, STARTED";
    let expected = format!("UpdateStatus does not lead to COMPLETED while the provision is CREATED, but to {next}");
    assert_eq!(refused.message(), expected);
    let refused = pavise_kernel::Error::from(refused);
    assert_eq!((refused.reason(), refused.find_fact("to")), ("STATUS_NOT_ALLOWED", Some("COMPLETED")));
    let deleted = scene.update_status(&id, Status::Deleted).await.unwrap();
    let entries = scene.entries().await.len();
    assert_eq!(
        scene.update_status(&id, Status::Deleted).await.unwrap(),
        deleted,
        "a repeat, though nothing begins here"
    );
    assert_eq!(scene.entries().await.len(), entries);
}

#[tokio::test]
async fn a_plan_is_set_up_in_the_version_of_its_line() {
    let mut scene = Scene::new().await;
    let legal = |version: i32| catalog::Product {
        id: "legal".to_owned(),
        product_version: version,
        contracts: vec![catalog::ProductContract {
            id: "contract".to_owned(),
            document_id: format!("document {version}"),
            ..Default::default()
        }],
        ..Default::default()
    };
    scene.peers.publishes(legal(1));
    let with = |version: Option<i32>| {
        let line = ProvisionLine { product_version: version, ..line("legal", "lgl", 2995) };
        CreateProvisionRequest {
            lines: vec![line],
            authorized_users: vec![],
            order_offer_id: format!("order offer of version {version:?}"),
            ..family()
        }
    };
    scene.create(with(Some(1))).await;
    scene.create(with(Some(0))).await;
    scene.create(with(None)).await;
    let unknown = scene.create(with(Some(9))).await.id;
    scene.peers.publishes(legal(2));
    scene.run_workers().await;
    let mut plans = entitlements(&scene).await;
    plans.reverse();
    let plans: Vec<_> =
        plans.iter().map(|plan| (plan.product_version, plan.contracts[0].document_id.as_str())).collect();
    // Nobody froze what was bought without a version, and a line without one is of an earlier release.
    assert_eq!(plans, [(1, "document 1"), (0, "document 2"), (2, "document 2")]);
    let failed = scene.provision(&unknown).await;
    assert_eq!((failed.status(), failed.failure.unwrap().reason.as_str()), (Status::Failed, "INVALID_FIELD"));
}
