//! A plan is changed, or extended by an order of supplements.

use pavise_fulfillment::contract::v1::{
    CancelEntitlementRequest, CreateProvisionRequest, Entitlement, EntitlementStatusReason, FulfillmentStatus,
    GetEntitlementRequest, PlanChangeTime, ProcessPlanChangesRequest, Provision, ProvisionLine,
    ProvisionStatus as Status, SubmitPlanChangesRequest, WithdrawPlanChangeRequest,
};
use pavise_fulfillment::contract::{billing, catalog};
use pavise_kernel::common::v1::{BillingPeriod, Currency, Date};
use pavise_kernel::time;
use tonic::Code;

use crate::scene::{NOW, Scene, WireFault, family, line, usd};

const PAID_TO: Date = Date { year: 2026, month: 4, day: 1 };

/// A member with two plans on one subscription.
async fn member() -> (Scene, Provision) {
    let mut scene = Scene::new().await;
    let id = scene.create(CreateProvisionRequest { authorized_users: vec![], ..family() }).await.id;
    scene.run_workers().await;
    scene.peers.change_subscription("subscription-1", |subscription| {
        subscription.paid_to_date = Some(PAID_TO);
        subscription.next_bill_on = Some(time::add_days(PAID_TO, 1));
    });
    let provision = scene.provision(&id).await;
    (scene, provision)
}

async fn entitlement(scene: &Scene, id: &str) -> Entitlement {
    let request = GetEntitlementRequest { identity_id: "buyer".to_owned(), entitlement_id: id.to_owned() };
    scene.entitlements("buyer").get_entitlement(request).await.unwrap().into_inner()
}

fn priced(scene: &Scene) {
    sold_as(scene, plus());
}

fn plus() -> catalog::PricedLine {
    catalog::PricedLine {
        product_id: "legal-plus".to_owned(),
        tier_id: "family".to_owned(),
        name: "Legal Plus".to_owned(),
        family: "lgl".to_owned(),
        renewal_price: Some(usd(4995)),
        billing_period: BillingPeriod::Monthly.into(),
        max_authorized_users: 9,
        ..Default::default()
    }
}

fn sold_as(scene: &Scene, line: catalog::PricedLine) {
    scene.peers.prices(catalog::ValidateSelectionsResponse { valid: true, lines: vec![line], ..Default::default() });
}

fn wish(entitlement_id: &str) -> SubmitPlanChangesRequest {
    SubmitPlanChangesRequest {
        identity_id: "buyer".to_owned(),
        entitlement_id: entitlement_id.to_owned(),
        brand: "pavise".to_owned(),
        offer_id: "offer-plus".to_owned(),
        product_id: "legal-plus".to_owned(),
        tier_id: "family".to_owned(),
        billing_period: BillingPeriod::Monthly.into(),
        currency: Currency::Usd.into(),
        ..Default::default()
    }
}

/// The billed amounts, by product or supplement, of the subscriptions that are not cancelled.
fn billed(scene: &Scene) -> Vec<(String, i64)> {
    let live = |one: &billing::Subscription| one.status() != billing::SubscriptionStatus::Cancelled;
    let items = scene.peers.subscriptions().into_iter().filter(live).flat_map(|one| one.items);
    items
        .map(|item| ([item.product_id, item.supplement_id].join(" ").trim().to_owned(), item.price.unwrap().amount))
        .collect()
}

async fn changed(scene: &Scene, sold: &Provision, change: &str) {
    let done = scene.provision(change).await;
    assert_eq!(done.status(), Status::Completed, "{:?}", done.failure);
    assert_eq!(done.entitlement_ids, [sold.entitlement_ids[0].clone()]);
    assert_eq!(billed(scene), [("identity".to_owned(), 1495), ("legal-plus".to_owned(), 4995)]);
    let [paying] = scene.peers.subscriptions().try_into().unwrap();
    let (next, paid_to) = (Some(time::add_days(PAID_TO, 1)), Some(PAID_TO));
    assert_eq!((paying.paid_to_date, paying.next_bill_on), (paid_to, next), "nothing is paid twice");
    assert_eq!((done.subscription_id.as_str(), paying.offer_id.as_str()), (paying.id.as_str(), "offer-plus"));
    for id in &sold.entitlement_ids {
        assert_eq!(entitlement(scene, id).await.subscription_id, paying.id);
    }
    let legal = entitlement(scene, &sold.entitlement_ids[0]).await;
    assert_eq!((legal.product_id.as_str(), legal.name.as_str()), ("legal-plus", "Legal Plus"));
    assert_eq!(legal.fulfillment_status(), FulfillmentStatus::Fulfilled);
}

#[tokio::test]
async fn a_member_changes_a_plan() {
    let (mut scene, sold) = member().await;
    priced(&scene);
    let change =
        scene.provisions("buyer").submit_plan_changes(wish(&sold.entitlement_ids[0])).await.unwrap().into_inner();
    assert_eq!((change.status(), change.lines[0].renewal_price), (Status::PendingPlanChange, Some(usd(4995))));
    scene.run_workers().await;
    assert_eq!(scene.provision(&change.id).await.status(), Status::PendingPlanChange, "it waits to be processed");
    let again = scene.provisions("buyer").submit_plan_changes(wish(&sold.entitlement_ids[0])).await.unwrap_err();
    assert_eq!(again.code(), Code::FailedPrecondition);

    let named = ProcessPlanChangesRequest { provision_ids: vec![change.id.clone()] };
    scene.provisions("internal").process_plan_changes(named).await.unwrap();
    scene.run_workers().await;
    changed(&scene, &sold, &change.id).await;
    scene.replay().await;
    changed(&scene, &sold, &change.id).await;
}

#[tokio::test]
async fn a_member_takes_a_change_back_until_it_is_processed() {
    let (mut scene, sold) = member().await;
    priced(&scene);
    let withdraw = |change: &Provision, owner: &str| WithdrawPlanChangeRequest {
        identity_id: owner.to_owned(),
        provision_id: change.id.clone(),
    };
    let change =
        scene.provisions("buyer").submit_plan_changes(wish(&sold.entitlement_ids[0])).await.unwrap().into_inner();
    let stranger = scene.provisions("stranger").withdraw_plan_change(withdraw(&change, "stranger")).await;
    assert_eq!(stranger.unwrap_err().code(), Code::NotFound);
    let gone = scene.provisions("buyer").withdraw_plan_change(withdraw(&change, "buyer")).await.unwrap().into_inner();
    assert_eq!(gone.status(), Status::Deleted);
    scene.provisions("internal").process_plan_changes(ProcessPlanChangesRequest::default()).await.unwrap();
    scene.run_workers().await;
    assert_eq!(entitlement(&scene, &sold.entitlement_ids[0]).await.product_id, "legal", "nothing changed");
    // Another one can be asked for, and is not taken back once it is begun.
    let other =
        scene.provisions("buyer").submit_plan_changes(wish(&sold.entitlement_ids[0])).await.unwrap().into_inner();
    scene.provisions("internal").process_plan_changes(ProcessPlanChangesRequest::default()).await.unwrap();
    let begun = scene.provisions("buyer").withdraw_plan_change(withdraw(&other, "buyer")).await;
    assert_eq!(begun.unwrap_err().code(), Code::FailedPrecondition);
    scene.run_workers().await;
    changed(&scene, &sold, &other.id).await;
}

#[tokio::test]
async fn plan_changes_once_whichever_call_is_lost() {
    for loss in [WireFault::Before, WireFault::After] {
        for at in 1..200 {
            let (mut scene, sold) = member().await;
            priced(&scene);
            let change = scene
                .provisions("buyer")
                .submit_plan_changes(wish(&sold.entitlement_ids[0]))
                .await
                .unwrap()
                .into_inner();
            scene.provisions("internal").process_plan_changes(ProcessPlanChangesRequest::default()).await.unwrap();
            scene.lose(at, loss);
            scene.run_workers().await;
            changed(&scene, &sold, &change.id).await;
            if !scene.lost() {
                break;
            }
        }
    }
}

#[tokio::test]
async fn the_timer_takes_it_up_on_its_first_day() {
    let (mut scene, sold) = member().await;
    priced(&scene);
    let first_day = time::add_days(time::to_date(NOW), 10);
    let request = SubmitPlanChangesRequest { effective_on: Some(first_day), ..wish(&sold.entitlement_ids[0]) };
    let change = scene.provisions("buyer").submit_plan_changes(request).await.unwrap().into_inner();
    scene.tick().await;
    assert_eq!(scene.provision(&change.id).await.status(), Status::PendingPlanChange);
    scene.clock.move_forward(std::time::Duration::from_secs(10 * 86_400));
    scene.tick().await;
    scene.run_workers().await;
    changed(&scene, &sold, &change.id).await;
}

#[tokio::test]
async fn unsold_plans_are_refused() {
    let (scene, sold) = member().await;
    let problem = catalog::SelectionProblem {
        field: "selections[0].tier_id".to_owned(),
        description: "is not offered".to_owned(),
        ..Default::default()
    };
    scene.peers.prices(catalog::ValidateSelectionsResponse { problems: vec![problem], ..Default::default() });
    let refused = scene.provisions("buyer").submit_plan_changes(wish(&sold.entitlement_ids[0])).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    assert_eq!(pavise_kernel::Error::from(refused).violations()[0].field, "selections[0].tier_id");
}

#[tokio::test]
async fn another_members_plan_does_not_exist() {
    let (scene, sold) = member().await;
    priced(&scene);
    let stranger = SubmitPlanChangesRequest { identity_id: "stranger".to_owned(), ..wish(&sold.entitlement_ids[0]) };
    assert_eq!(
        scene.provisions("stranger").submit_plan_changes(stranger.clone()).await.unwrap_err().code(),
        Code::NotFound
    );
    assert_eq!(
        scene.provisions("buyer").submit_plan_changes(stranger).await.unwrap_err().code(),
        Code::PermissionDenied
    );
}

/// An order of the supplement "trial-defense" to the legal plan.
fn trial_defense(sold: &Provision) -> CreateProvisionRequest {
    let mut extra = line("legal", "lgl", 900);
    extra.supplement_ids = vec!["trial-defense".to_owned()];
    CreateProvisionRequest {
        order_offer_id: "order-offer-2".to_owned(),
        entitlement_id: sold.entitlement_ids[0].clone(),
        lines: vec![extra],
        authorized_users: vec![],
        payment_method_id: "another card".to_owned(),
        ..family()
    }
}

#[tokio::test]
async fn an_order_of_supplements_extends_the_plan() {
    let (mut scene, sold) = member().await;
    scene.peers.change_subscription("subscription-1", |subscription| {
        subscription.set_status(billing::SubscriptionStatus::PendingCancel);
        subscription.scheduled_cancel_on = Some(PAID_TO);
        subscription.group_id = "acme".to_owned();
    });
    let before = scene.peers.subscriptions();
    let id = scene.create(trial_defense(&sold)).await.id;
    scene.run_workers().await;
    let done = scene.provision(&id).await;
    assert_eq!(done.status(), Status::Completed, "{:?}", done.failure);
    let legal = entitlement(&scene, &sold.entitlement_ids[0]).await;
    assert_eq!((legal.tier_id.as_str(), legal.supplement_ids.clone()), ("family", vec!["trial-defense".to_owned()]));
    assert_eq!(legal.name, "legal plan");
    let expected = [("legal".to_owned(), 2995), ("identity".to_owned(), 1495), ("legal trial-defense".to_owned(), 900)];
    assert_eq!(billed(&scene), expected);
    // Only the billed items have changed: neither the payment method nor the planned end has.
    let [after] = scene.peers.subscriptions().try_into().unwrap();
    let as_before = billing::Subscription { items: before[0].items.clone(), version: before[0].version, ..after };
    assert_eq!([as_before], before.as_slice());
}

#[tokio::test]
async fn a_supplement_that_is_ordered_twice_is_billed_once() {
    let (mut scene, sold) = member().await;
    scene.create(trial_defense(&sold)).await;
    let second = CreateProvisionRequest { order_offer_id: "order-offer-3".to_owned(), ..trial_defense(&sold) };
    let second = scene.create(second).await.id;
    scene.run_workers().await;
    assert_eq!(scene.provision(&second).await.status(), Status::Completed);
    let expected = [("legal".to_owned(), 2995), ("identity".to_owned(), 1495), ("legal trial-defense".to_owned(), 900)];
    assert_eq!(billed(&scene), expected);
    assert_eq!(scene.peers.subscriptions().len(), 1);
}

#[tokio::test]
async fn a_supplement_that_is_bought_while_a_change_waits_goes_along() {
    let (mut scene, sold) = member().await;
    sold_as(&scene, catalog::PricedLine { product_id: "legal".to_owned(), tier_id: "single".to_owned(), ..plus() });
    let wish = SubmitPlanChangesRequest {
        product_id: "legal".to_owned(),
        tier_id: "single".to_owned(),
        ..wish(&sold.entitlement_ids[0])
    };
    let change = scene.provisions("buyer").submit_plan_changes(wish).await.unwrap().into_inner();
    scene.create(trial_defense(&sold)).await;
    scene.run_workers().await;
    scene.provisions("internal").process_plan_changes(ProcessPlanChangesRequest::default()).await.unwrap();
    scene.run_workers().await;
    let done = scene.provision(&change.id).await;
    assert_eq!(done.status(), Status::Completed, "{:?}", done.failure);
    let legal = entitlement(&scene, &sold.entitlement_ids[0]).await;
    assert_eq!((legal.tier_id.as_str(), legal.supplement_ids), ("single", vec!["trial-defense".to_owned()]));
    let expected = [("identity".to_owned(), 1495), ("legal trial-defense".to_owned(), 900), ("legal".to_owned(), 4995)];
    assert_eq!(billed(&scene), expected);
}

#[tokio::test]
async fn a_supplement_is_not_lost_with_its_product() {
    let (mut scene, sold) = member().await;
    priced(&scene);
    let change =
        scene.provisions("buyer").submit_plan_changes(wish(&sold.entitlement_ids[0])).await.unwrap().into_inner();
    scene.create(trial_defense(&sold)).await;
    scene.run_workers().await;
    scene.provisions("internal").process_plan_changes(ProcessPlanChangesRequest::default()).await.unwrap();
    scene.run_workers().await;
    assert_eq!(failed_for(&scene, &change).await, "PLAN_CHANGED_MEANWHILE");
    let expected = [("legal".to_owned(), 2995), ("identity".to_owned(), 1495), ("legal trial-defense".to_owned(), 900)];
    assert_eq!(billed(&scene), expected);
}

#[tokio::test]
async fn a_plan_that_has_ended_is_not_billed_again() {
    let (mut scene, sold) = member().await;
    priced(&scene);
    let change =
        scene.provisions("buyer").submit_plan_changes(wish(&sold.entitlement_ids[0])).await.unwrap().into_inner();
    scene.peers.change_subscription("subscription-1", |one| one.set_status(billing::SubscriptionStatus::Cancelled));
    for id in &sold.entitlement_ids {
        let cancel = CancelEntitlementRequest {
            identity_id: "buyer".to_owned(),
            entitlement_id: id.clone(),
            reason: EntitlementStatusReason::MemberRequest.into(),
            ..Default::default()
        };
        scene.entitlements("internal").cancel_entitlement(cancel).await.unwrap();
    }
    scene.provisions("internal").process_plan_changes(ProcessPlanChangesRequest::default()).await.unwrap();
    scene.run_workers().await;
    assert_eq!(failed_for(&scene, &change).await, "STATUS_NOT_ALLOWED");
    assert_eq!(billed(&scene), []);
}

/// The cause of a failed change.
async fn failed_for(scene: &Scene, change: &Provision) -> String {
    let failed = scene.provision(&change.id).await;
    assert_eq!(failed.status(), Status::Failed);
    failed.failure.unwrap().reason
}

#[tokio::test]
async fn plans_of_one_subscription_are_billed_alike() {
    let (scene, sold) = member().await;
    let reason = async |wish: SubmitPlanChangesRequest| {
        sold_as(&scene, catalog::PricedLine { billing_period: wish.billing_period, ..plus() });
        pavise_kernel::Error::from(scene.provisions("buyer").submit_plan_changes(wish).await.unwrap_err())
            .reason()
            .to_owned()
    };
    let wish = wish(&sold.entitlement_ids[0]);
    let annual = SubmitPlanChangesRequest { billing_period: BillingPeriod::Annual.into(), ..wish.clone() };
    assert_eq!(reason(annual).await, "PLAN_BILLED_OTHERWISE");
    assert_eq!(
        reason(SubmitPlanChangesRequest { currency: Currency::Cad.into(), ..wish }).await,
        "PLAN_BILLED_OTHERWISE"
    );
}

#[tokio::test]
async fn a_member_does_not_spend_the_money_of_their_group_at_once() {
    let (scene, sold) = member().await;
    priced(&scene);
    let now = SubmitPlanChangesRequest { time: PlanChangeTime::Now.into(), ..wish(&sold.entitlement_ids[0]) };
    let pay_with = |method: &str| {
        scene.peers.change_subscription("subscription-1", |subscription| {
            subscription.group_id = "acme".to_owned();
            subscription.payment_method_id = method.to_owned();
        });
    };
    pay_with("card of acme");
    let refused = scene.provisions("buyer").submit_plan_changes(now.clone()).await.unwrap_err();
    assert_eq!(pavise_kernel::Error::from(refused).reason(), "PLAN_BILLED_OTHERWISE");
    pay_with("card");
    scene.provisions("buyer").submit_plan_changes(now).await.unwrap();
}

#[tokio::test]
async fn a_plan_alone_on_its_subscription_is_billed_as_often_as_its_holder_wants() {
    let mut scene = Scene::new().await;
    let alone =
        CreateProvisionRequest { lines: vec![line("legal", "lgl", 2995)], authorized_users: vec![], ..family() };
    let id = scene.create(alone).await.id;
    scene.run_workers().await;
    let sold = scene.provision(&id).await;
    let annual = BillingPeriod::Annual.into();
    sold_as(&scene, catalog::PricedLine { billing_period: annual, ..plus() });
    let wish = SubmitPlanChangesRequest { billing_period: annual, ..wish(&sold.entitlement_ids[0]) };
    scene.provisions("buyer").submit_plan_changes(wish).await.unwrap();
    scene.provisions("internal").process_plan_changes(ProcessPlanChangesRequest::default()).await.unwrap();
    scene.run_workers().await;
    let [paying] = scene.peers.subscriptions().try_into().unwrap();
    assert_eq!(paying.billing_period(), BillingPeriod::Annual);
    assert_eq!(billed(&scene), [("legal-plus".to_owned(), 4995)]);
}

#[tokio::test]
async fn a_smaller_plan_needs_room_for_those_who_are_on_it() {
    let mut scene = Scene::new().await;
    let id = scene.create(family()).await.id;
    scene.run_workers().await;
    let sold = scene.provision(&id).await;
    sold_as(&scene, catalog::PricedLine { max_authorized_users: 1, ..plus() });
    let refused = scene.provisions("buyer").submit_plan_changes(wish(&sold.entitlement_ids[0])).await.unwrap_err();
    assert_eq!(pavise_kernel::Error::from(refused).reason(), "AUTHORIZED_USERS_EXCEEDED");
    sold_as(&scene, catalog::PricedLine { max_authorized_users: 2, ..plus() });
    scene.provisions("buyer").submit_plan_changes(wish(&sold.entitlement_ids[0])).await.unwrap();
}

#[tokio::test]
async fn concurrent_items_of_the_subscription_stay() {
    let (mut scene, sold) = member().await;
    let change = CreateProvisionRequest { order_offer_id: "order-offer-2".to_owned(), ..trial_defense(&sold) };
    scene.peers.disturb(billing::SubscriptionItem {
        product_id: "device".to_owned(),
        price: Some(usd(500)),
        ..Default::default()
    });
    let id = scene.create(change).await.id;
    scene.run_workers().await;
    assert_eq!(scene.provision(&id).await.status(), Status::Completed);
    let products: Vec<_> = billed(&scene).into_iter().map(|(product, _)| product).collect();
    assert_eq!(products, ["legal", "identity", "device", "legal trial-defense"]);
}

#[tokio::test]
async fn a_plan_covers_as_many_people_as_its_tier() {
    let mut scene = Scene::new().await;
    let covering = |most: i32, line: ProvisionLine| ProvisionLine { max_authorized_users: Some(most), ..line };
    let lines = vec![covering(9, line("legal", "lgl", 2995)), covering(0, line("identity", "ids", 1495))];
    let id = scene.create(CreateProvisionRequest { lines, ..family() }).await.id;
    scene.run_workers().await;
    let sold = scene.provision(&id).await;
    let mut people = Vec::new();
    for id in &sold.entitlement_ids {
        people.push(entitlement(&scene, id).await.authorized_users.len());
    }
    assert_eq!(people, [2, 0]);
}
