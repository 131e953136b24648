//! A plan is changed, or extended by an order of supplements.

use pavise_fulfillment::contract::v1::{
    CreateProvisionRequest, Entitlement, FulfillmentStatus, GetEntitlementRequest, ProcessPlanChangesRequest, Provision,
    ProvisionStatus as Status, SubmitPlanChangesRequest,
};
use pavise_fulfillment::contract::{billing, catalog};
use pavise_kernel::common::v1::{BillingPeriod, Currency, Date};
use pavise_kernel::time;
use tonic::Code;

use crate::world::{Loss, NOW, World, family, line, usd};

const PAID_TO: Date = Date { year: 2026, month: 4, day: 1 };

/// A member with two plans on one subscription.
async fn member() -> (World, Provision) {
    let mut world = World::new().await;
    let id = world.create(CreateProvisionRequest { authorized_users: vec![], ..family() }).await.id;
    world.settle().await;
    world.outside.change_subscription("subscription-1", |subscription| {
        subscription.paid_to_date = Some(PAID_TO);
        subscription.next_bill_on = Some(time::add_days(PAID_TO, 1));
    });
    let provision = world.provision(&id).await;
    (world, provision)
}

async fn entitlement(world: &World, id: &str) -> Entitlement {
    let request = GetEntitlementRequest { identity_id: "buyer".to_owned(), entitlement_id: id.to_owned() };
    world.entitlements("buyer").get_entitlement(request).await.unwrap().into_inner()
}

fn priced(world: &World) {
    let own = catalog::PricedLine {
        product_id: "legal-plus".to_owned(),
        tier_id: "family".to_owned(),
        name: "Legal Plus".to_owned(),
        family: "lgl".to_owned(),
        renewal_price: Some(usd(4995)),
        billing_period: BillingPeriod::Monthly.into(),
        ..Default::default()
    };
    world.outside.prices(catalog::ValidateSelectionsResponse { valid: true, lines: vec![own], ..Default::default() });
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

/// What is billed, by product or supplement, of the subscriptions that are not cancelled.
fn billed(world: &World) -> Vec<(String, i64)> {
    let live = |one: &billing::Subscription| one.status() != billing::SubscriptionStatus::Cancelled;
    let items = world.outside.subscriptions().into_iter().filter(live).flat_map(|one| one.items);
    items.map(|item| ([item.product_id, item.supplement_id].join(" ").trim().to_owned(), item.price.unwrap().amount)).collect()
}

async fn changed(world: &World, sold: &Provision, change: &str) {
    let done = world.provision(change).await;
    assert_eq!(done.status(), Status::Completed, "{:?}", done.failure);
    assert_eq!(done.entitlement_ids, [sold.entitlement_ids[0].clone()]);
    assert_eq!(billed(world), [("identity".to_owned(), 1495), ("legal-plus".to_owned(), 4995)]);
    assert_eq!(world.outside.subscriptions().len(), 2, "one took the place of one");
    let new = world.outside.subscriptions().pop().unwrap();
    assert_eq!((new.paid_to_date, new.next_bill_on), (Some(PAID_TO), Some(time::add_days(PAID_TO, 1))), "nothing is paid twice");
    for id in &sold.entitlement_ids {
        assert_eq!(entitlement(world, id).await.subscription_id, new.id);
    }
    let legal = entitlement(world, &sold.entitlement_ids[0]).await;
    assert_eq!((legal.product_id.as_str(), legal.name.as_str()), ("legal-plus", "Legal Plus"));
    assert_eq!(legal.fulfillment_status(), FulfillmentStatus::Fulfilled);
}

#[tokio::test]
async fn a_member_changes_a_plan() {
    let (mut world, sold) = member().await;
    priced(&world);
    let change = world.provisions("buyer").submit_plan_changes(wish(&sold.entitlement_ids[0])).await.unwrap().into_inner();
    assert_eq!((change.status(), change.lines[0].renewal_price), (Status::PendingPlanChange, Some(usd(4995))));
    world.settle().await;
    assert_eq!(world.provision(&change.id).await.status(), Status::PendingPlanChange, "it waits to be processed");
    let again = world.provisions("buyer").submit_plan_changes(wish(&sold.entitlement_ids[0])).await.unwrap_err();
    assert_eq!(again.code(), Code::FailedPrecondition);

    let named = ProcessPlanChangesRequest { provision_ids: vec![change.id.clone()] };
    world.provisions("internal").process_plan_changes(named).await.unwrap();
    world.settle().await;
    changed(&world, &sold, &change.id).await;
    world.replay().await;
    changed(&world, &sold, &change.id).await;
}

#[tokio::test]
async fn whatever_call_gets_lost_the_plan_changes_once() {
    for loss in [Loss::Call, Loss::Answer] {
        for at in 1..200 {
            let (mut world, sold) = member().await;
            priced(&world);
            let change =
                world.provisions("buyer").submit_plan_changes(wish(&sold.entitlement_ids[0])).await.unwrap().into_inner();
            world.provisions("internal").process_plan_changes(ProcessPlanChangesRequest::default()).await.unwrap();
            world.lose(at, loss);
            world.settle().await;
            changed(&world, &sold, &change.id).await;
            if !world.lost() {
                break;
            }
        }
    }
}

#[tokio::test]
async fn the_timer_takes_it_up_on_its_first_day() {
    let (mut world, sold) = member().await;
    priced(&world);
    let first_day = time::add_days(time::date(NOW), 10);
    let request = SubmitPlanChangesRequest { effective_on: Some(first_day), ..wish(&sold.entitlement_ids[0]) };
    let change = world.provisions("buyer").submit_plan_changes(request).await.unwrap().into_inner();
    world.tick().await;
    assert_eq!(world.provision(&change.id).await.status(), Status::PendingPlanChange);
    world.clock.advance(std::time::Duration::from_secs(10 * 86_400));
    world.tick().await;
    world.settle().await;
    changed(&world, &sold, &change.id).await;
}

#[tokio::test]
async fn what_the_catalogue_does_not_sell_is_refused() {
    let (world, sold) = member().await;
    let problem = catalog::SelectionProblem {
        field: "selections[0].tier_id".to_owned(),
        description: "is not offered".to_owned(),
        ..Default::default()
    };
    world.outside.prices(catalog::ValidateSelectionsResponse { problems: vec![problem], ..Default::default() });
    let refused = world.provisions("buyer").submit_plan_changes(wish(&sold.entitlement_ids[0])).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    assert_eq!(pavise_kernel::Error::from(refused).violations()[0].field, "selections[0].tier_id");
}

#[tokio::test]
async fn another_members_plan_does_not_exist() {
    let (world, sold) = member().await;
    priced(&world);
    let stranger = SubmitPlanChangesRequest { identity_id: "stranger".to_owned(), ..wish(&sold.entitlement_ids[0]) };
    assert_eq!(world.provisions("stranger").submit_plan_changes(stranger.clone()).await.unwrap_err().code(), Code::NotFound);
    assert_eq!(world.provisions("buyer").submit_plan_changes(stranger).await.unwrap_err().code(), Code::PermissionDenied);
}

#[tokio::test]
async fn an_order_of_supplements_extends_the_plan() {
    let (mut world, sold) = member().await;
    let mut extra = line("legal", "lgl", 900);
    extra.supplement_ids = vec!["trial-defense".to_owned()];
    let request = CreateProvisionRequest {
        order_offer_id: "order-offer-2".to_owned(),
        entitlement_id: sold.entitlement_ids[0].clone(),
        lines: vec![extra],
        authorized_users: vec![],
        ..family()
    };
    let id = world.create(request).await.id;
    world.settle().await;
    let done = world.provision(&id).await;
    assert_eq!(done.status(), Status::Completed, "{:?}", done.failure);
    let legal = entitlement(&world, &sold.entitlement_ids[0]).await;
    assert_eq!((legal.tier_id.as_str(), legal.supplement_ids.clone()), ("family", vec!["trial-defense".to_owned()]));
    assert_eq!(legal.name, "legal plan");
    let expected = [("legal".to_owned(), 2995), ("identity".to_owned(), 1495), ("legal trial-defense".to_owned(), 900)];
    assert_eq!(billed(&world), expected);
}
