//! Subscriptions, as far as the sale and its changes need them.

use pavise_billing::contract::v1::SubscriptionStatus::{Active, Cancelled, PendingCancel, Precancel, Suspended};
use pavise_billing::contract::v1::*;
use pavise_kernel::Result;
use pavise_kernel::common::v1::{BillingPeriod, Date};

use crate::scene::{
    ADMIN, ALICE, APPROVES, MALLORY, PLATFORM, STAFF, Scene, card, into_answer, item, refusal_reason, request_by,
    request_with_key, scene, scenes, usd,
};

/// A monthly plan of alice's for 29.95.
pub(crate) fn wanted(group: &str) -> CreateSubscriptionRequest {
    CreateSubscriptionRequest {
        identity_id: "alice".into(),
        offer_id: "offer".into(),
        items: vec![SubscriptionItem {
            r#type: OfferItemType::Product.into(),
            product_id: "product".into(),
            name: "Legal".into(),
            price: usd(2995),
            ..SubscriptionItem::default()
        }],
        billing_period: BillingPeriod::Monthly.into(),
        order_id: "order".into(),
        group_id: group.into(),
        ..CreateSubscriptionRequest::default()
    }
}

/// A subscription of alice's that a payroll pays for: it has no paid day.
pub(crate) async fn payroll(scene: &Scene) -> Subscription {
    let wanted = CreateSubscriptionRequest { billing_period: BillingPeriod::PayPeriod.into(), ..wanted("acme") };
    into_answer(scene.subscriptions().create_subscription(request_by(PLATFORM, wanted)).await).unwrap()
}

/// A subscription of alice's, from the 15th of January on.
pub(crate) async fn subscription(scene: &Scene, group: &str) -> Subscription {
    into_answer(scene.subscriptions().create_subscription(request_by(PLATFORM, wanted(group))).await).unwrap()
}

async fn cancel(scene: &Scene, who: &str, group: &str, id: &str, reason: CancelReason) -> Result<Subscription> {
    let request = CancelSubscriptionRequest {
        end_plans: false,
        identity_id: "alice".into(),
        subscription_id: id.into(),
        group_id: group.into(),
        reason: reason.into(),
        ..Default::default()
    };
    into_answer(scene.subscriptions().cancel_subscription(request_by(who, request)).await)
}

#[tokio::test]
async fn a_subscription_is_made_once_and_belongs_to_its_member_on_both_engines() {
    for scene in scenes().await {
        let made =
            into_answer(scene.subscriptions().create_subscription(request_with_key(PLATFORM, "k", wanted(""))).await)
                .unwrap();
        assert_eq!(
            into_answer(scene.subscriptions().create_subscription(request_with_key(PLATFORM, "k", wanted(""))).await)
                .unwrap(),
            made
        );
        assert_eq!((made.status(), made.next_bill_on), (Active, Some(Date { year: 2026, month: 2, day: 15 })));
        assert_eq!(made.retry_schedule, [3, 5, 7]);
        let list =
            ListSubscriptionsRequest { identity_id: "alice".into(), order_id: "order".into(), ..Default::default() };
        let listed = into_answer(scene.subscriptions().list_subscriptions(request_by(ALICE, list)).await).unwrap();
        assert_eq!(listed.subscriptions, std::slice::from_ref(&made));
        let get = GetSubscriptionRequest { identity_id: "mallory".into(), subscription_id: made.id };
        assert_eq!(
            refusal_reason(into_answer(scene.subscriptions().get_subscription(request_by(MALLORY, get)).await)),
            "NOT_FOUND"
        );
        let once = CreateSubscriptionRequest { billing_period: BillingPeriod::OneTime.into(), ..wanted("") };
        assert_eq!(
            refusal_reason(into_answer(scene.subscriptions().create_subscription(request_by(PLATFORM, once)).await)),
            "INVALID_FIELD"
        );
    }
}

#[tokio::test]
async fn a_subscription_is_stopped_and_brought_back_as_its_status_allows() {
    let scene = scene().await;
    let id = subscription(&scene, "").await.id;
    let ids = || ("alice".to_owned(), id.clone());
    let suspend =
        || SuspendSubscriptionRequest { identity_id: ids().0, subscription_id: ids().1, ..Default::default() };
    let activate = || ActivateSubscriptionRequest { identity_id: ids().0, subscription_id: ids().1 };
    let pre_cancel = || PreCancelSubscriptionRequest { identity_id: ids().0, subscription_id: ids().1 };
    let pending =
        || PendingCancelSubscriptionRequest { identity_id: ids().0, subscription_id: ids().1, ..Default::default() };
    assert_eq!(
        into_answer(scene.subscriptions().suspend_subscription(request_by(STAFF, suspend())).await).unwrap().status(),
        Suspended
    );
    assert_eq!(
        into_answer(scene.subscriptions().pre_cancel_subscription(request_by(STAFF, pre_cancel())).await)
            .unwrap()
            .status(),
        Precancel
    );
    assert_eq!(
        refusal_reason(into_answer(scene.subscriptions().suspend_subscription(request_by(STAFF, suspend())).await)),
        "STATUS_NOT_ALLOWED"
    );
    assert_eq!(
        into_answer(scene.subscriptions().pending_cancel_subscription(request_by(STAFF, pending())).await)
            .unwrap()
            .status(),
        PendingCancel
    );
    assert_eq!(
        into_answer(scene.subscriptions().activate_subscription(request_by(STAFF, activate())).await).unwrap().status(),
        Active
    );
    let ended = cancel(&scene, STAFF, "", &id, CancelReason::Deceased).await.unwrap();
    assert_eq!((ended.status(), ended.cancelled_on), (Cancelled, Some(Date { year: 2026, month: 1, day: 15 })));
    assert_eq!(
        refusal_reason(into_answer(scene.subscriptions().activate_subscription(request_by(STAFF, activate())).await)),
        "SUBSCRIPTION_NOT_REINSTATABLE"
    );
    assert_eq!(
        refusal_reason(cancel(&scene, STAFF, "", &id, CancelReason::Unspecified).await),
        "INVALID_FIELD",
        "a reason is required"
    );

    let other = subscription(&scene, "").await.id;
    cancel(&scene, STAFF, "", &other, CancelReason::Reinstate).await.unwrap();
    let activate = ActivateSubscriptionRequest { identity_id: "alice".into(), subscription_id: other };
    let back = into_answer(scene.subscriptions().activate_subscription(request_by(STAFF, activate)).await).unwrap();
    assert_eq!((back.status(), back.cancel_reason(), back.cancelled_on), (Active, CancelReason::Unspecified, None));
}

#[tokio::test]
async fn administrator_ends_subscriptions_of_the_own_group() {
    let scene = scene().await;
    let own = subscription(&scene, "").await.id;
    let grouped = subscription(&scene, "acme").await.id;
    let reason_of = CancelReason::NoLongerEmployed;
    assert_eq!(
        refusal_reason(cancel(&scene, ADMIN, "acme", &own, reason_of).await),
        "NOT_FOUND",
        "it is none of his business"
    );
    assert_eq!(refusal_reason(cancel(&scene, ADMIN, "other", &grouped, reason_of).await), "NOT_THE_OWNER");
    assert_eq!(refusal_reason(cancel(&scene, ADMIN, "", &grouped, reason_of).await), "NOT_THE_OWNER");
    assert_eq!(refusal_reason(cancel(&scene, ALICE, "", &own, reason_of).await), "REALM_NOT_ALLOWED");
    let pending = PendingCancelGroupSubscriptionRequest {
        group_id: "acme".into(),
        identity_id: "alice".into(),
        subscription_id: grouped.clone(),
        reason: CancelReason::LeaveOfAbsence.into(),
    };
    let pending =
        into_answer(scene.subscriptions().pending_cancel_group_subscription(request_by(ADMIN, pending)).await).unwrap();
    assert_eq!((pending.status(), pending.cancel_reason()), (PendingCancel, CancelReason::LeaveOfAbsence));
    let remove = RemovePendingCancelSubscriptionRequest {
        group_id: "acme".into(),
        identity_id: "alice".into(),
        subscription_id: grouped.clone(),
    };
    let back =
        into_answer(scene.subscriptions().remove_pending_cancel_subscription(request_by(ADMIN, remove)).await).unwrap();
    assert_eq!((back.status(), back.cancel_reason()), (Active, CancelReason::Unspecified));
    assert_eq!(cancel(&scene, ADMIN, "acme", &grouped, reason_of).await.unwrap().status(), Cancelled);
}

/// An invoice of the subscription.
pub(crate) async fn invoice(scene: &Scene, subscription: &str) -> Invoice {
    let request = CreateInvoiceRequest {
        identity_id: "alice".into(),
        currency: 1,
        items: vec![item(ItemType::Subscription, 2995)],
        subscription_id: subscription.into(),
        ..CreateInvoiceRequest::default()
    };
    into_answer(scene.invoices().create_invoice(request_by(PLATFORM, request)).await).unwrap()
}

#[tokio::test]
async fn delinquent_subscription_catches_up_when_its_invoices_are_settled() {
    for scene in scenes().await {
        let visa = scene.method(card(APPROVES)).await;
        let id = subscription(&scene, "").await.id;
        let catch_up = || CatchUpSubscriptionRequest { identity_id: "alice".into(), subscription_id: id.clone() };
        assert_eq!(
            into_answer(scene.subscriptions().catch_up_subscription(request_by(STAFF, catch_up())).await)
                .unwrap()
                .status(),
            Active
        );
        let (one, two) = (invoice(&scene, &id).await, invoice(&scene, &id).await);
        let behind =
            into_answer(scene.subscriptions().catch_up_subscription(request_by(STAFF, catch_up())).await).unwrap();
        assert_eq!(behind.status(), SubscriptionStatus::CatchingUp);
        let ask = || ListOutstandingInvoicesRequest { identity_id: "alice".into(), subscription_id: id.clone() };
        let open = into_answer(scene.subscriptions().list_outstanding_invoices(request_by(ALICE, ask())).await)
            .unwrap()
            .invoices;
        assert_eq!(open.iter().map(|invoice| &invoice.id).collect::<Vec<_>>(), [&two.id, &one.id]);
        let can = || CanSubscriptionBeDeletedRequest { identity_id: "alice".into(), subscription_id: id.clone() };
        assert!(
            into_answer(scene.subscriptions().can_subscription_be_deleted(request_by(STAFF, can())).await)
                .unwrap()
                .can_be_deleted
        );

        let get = || GetSubscriptionRequest { identity_id: "alice".into(), subscription_id: id.clone() };
        let pay = PayInvoiceRequest { invoice_id: one.id, payment_method_id: visa.id, ..PayInvoiceRequest::default() };
        scene.pay(ALICE, "1", pay).await.unwrap();
        assert_eq!(scene.run_workers("one is paid").await, 0);
        assert_eq!(
            into_answer(scene.subscriptions().get_subscription(request_by(ALICE, get())).await).unwrap().status(),
            SubscriptionStatus::CatchingUp
        );
        let forgive =
            ForgiveInvoiceRequest { identity_id: "alice".into(), invoice_id: two.id, reason: "hardship".into() };
        into_answer(scene.invoices().forgive_invoice(request_by(STAFF, forgive)).await).unwrap();
        assert_eq!(scene.run_workers("the other is forgiven").await, 0);
        assert_eq!(
            into_answer(scene.subscriptions().get_subscription(request_by(ALICE, get())).await).unwrap().status(),
            Active
        );

        let can =
            into_answer(scene.subscriptions().can_subscription_be_deleted(request_by(STAFF, can())).await).unwrap();
        assert_eq!((can.can_be_deleted, can.paid_invoices), (false, 1));
        let delete = |id: &str| DeleteSubscriptionRequest {
            identity_id: "alice".into(),
            subscription_id: id.into(),
            reason: "an error".into(),
        };
        let refused = into_answer(scene.subscriptions().delete_subscription(request_by(STAFF, delete(&id))).await);
        assert_eq!(refusal_reason(refused), "SUBSCRIPTION_HAS_PAYMENTS");
        let other = subscription(&scene, "").await.id;
        into_answer(scene.subscriptions().delete_subscription(request_by(STAFF, delete(&other))).await).unwrap();
        let get = GetSubscriptionRequest { identity_id: "alice".into(), subscription_id: other };
        assert_eq!(
            refusal_reason(into_answer(scene.subscriptions().get_subscription(request_by(STAFF, get)).await)),
            "NOT_FOUND"
        );
    }
}

#[tokio::test]
async fn delinquent_subscription_catches_up_after_a_refund() {
    for scene in scenes().await {
        let visa = scene.method(card(APPROVES)).await;
        let id = subscription(&scene, "").await.id;
        let owed = invoice(&scene, &id).await;
        let catch_up = CatchUpSubscriptionRequest { identity_id: "alice".into(), subscription_id: id.clone() };
        into_answer(scene.subscriptions().catch_up_subscription(request_by(STAFF, catch_up)).await).unwrap();
        let pay = PayInvoiceRequest {
            invoice_id: owed.id.clone(),
            payment_method_id: visa.id,
            amount: usd(1000),
            ..PayInvoiceRequest::default()
        };
        scene.pay(ALICE, "1", pay).await.unwrap();
        let status = async || {
            let get = GetSubscriptionRequest { identity_id: "alice".into(), subscription_id: id.clone() };
            into_answer(scene.subscriptions().get_subscription(request_by(ALICE, get)).await).unwrap().status()
        };
        assert_eq!(scene.run_workers("a part is paid").await, 0);
        assert_eq!(status().await, SubscriptionStatus::CatchingUp);
        let back = RefundInvoiceRequest {
            identity_id: "alice".into(),
            invoice_id: owed.id,
            ..RefundInvoiceRequest::default()
        };
        let back = into_answer(scene.invoices().refund_invoice(request_by(STAFF, back)).await).unwrap();
        assert_eq!(back.status(), InvoiceStatus::Refunded);
        assert_eq!(scene.run_workers("it is given back").await, 0);
        assert_eq!(status().await, Active);
    }
}

#[tokio::test]
async fn first_payment_with_the_order_counts_for_the_subscription() {
    for scene in scenes().await {
        let visa = scene.method(card(APPROVES)).await;
        let id = subscription(&scene, "").await.id;
        let can = async || {
            let ask = CanSubscriptionBeDeletedRequest { identity_id: "alice".into(), subscription_id: id.clone() };
            let can =
                into_answer(scene.subscriptions().can_subscription_be_deleted(request_by(ALICE, ask)).await).unwrap();
            (can.can_be_deleted, can.paid_invoices)
        };
        let delete = async |id: &str| {
            let request = DeleteSubscriptionRequest {
                identity_id: "alice".into(),
                subscription_id: id.into(),
                reason: "an error".into(),
            };
            into_answer(scene.subscriptions().delete_subscription(request_by(STAFF, request)).await)
        };
        let raise = async |order: &str, subscription: &str| {
            let request = CreateInvoiceRequest {
                identity_id: "alice".into(),
                currency: 1,
                items: vec![item(ItemType::Order, 2995)],
                order_id: order.into(),
                subscription_id: subscription.into(),
                payment_method_id: visa.id.clone(),
                ..CreateInvoiceRequest::default()
            };
            into_answer(scene.invoices().create_invoice(request_by(PLATFORM, request)).await).unwrap()
        };
        let pay = async |invoice: &Invoice| {
            let request = PayInvoiceRequest { invoice_id: invoice.id.clone(), ..PayInvoiceRequest::default() };
            scene.pay(ALICE, &invoice.id, request).await.unwrap();
        };
        let sale = raise("order", "").await;
        pay(&raise("another order", "").await).await;
        assert_eq!(can().await, (true, 0), "nothing is paid of what it is for");
        pay(&sale).await;
        assert_eq!(can().await, (false, 1));
        pay(&raise("order", &id).await).await;
        assert_eq!(can().await, (false, 2), "one that names both is one");
        assert_eq!(refusal_reason(delete(&id).await), "SUBSCRIPTION_HAS_PAYMENTS");
        let give =
            ChangeInvoiceOwnerRequest { identity_id: "alice".into(), invoice_id: sale.id, new_owner_id: "bert".into() };
        into_answer(scene.invoices().change_invoice_owner(request_by(STAFF, give)).await).unwrap();
        assert_eq!(can().await, (false, 2), "whosever it is now");
        let free = CreateSubscriptionRequest { order_id: String::new(), ..wanted("") };
        let free = into_answer(scene.subscriptions().create_subscription(request_by(PLATFORM, free)).await).unwrap();
        delete(&free.id).await.unwrap();
    }
}

#[tokio::test]
async fn the_days_of_a_subscription_are_moved_in_order() {
    let scene = scene().await;
    let made = subscription(&scene, "").await;
    let ids = || ("alice".to_owned(), made.id.clone());
    let date = |month: i32, day: i32| Some(Date { year: 2026, month, day });
    let advance = || AdvanceSubscriptionNextBillOnRequest { identity_id: ids().0, subscription_id: ids().1 };
    let advanced =
        into_answer(scene.subscriptions().advance_subscription_next_bill_on(request_by(STAFF, advance())).await)
            .unwrap();
    assert_eq!(advanced.next_bill_on, date(3, 15));
    let cycle =
        UpdateSubscriptionBillCycleDayRequest { identity_id: ids().0, subscription_id: ids().1, bill_cycle_day: 31 };
    into_answer(scene.subscriptions().update_subscription_bill_cycle_day(request_by(STAFF, cycle)).await).unwrap();
    let advanced =
        into_answer(scene.subscriptions().advance_subscription_next_bill_on(request_by(STAFF, advance())).await)
            .unwrap();
    assert_eq!(advanced.next_bill_on, date(4, 30));
    let next =
        |day| UpdateSubscriptionNextBillOnRequest { identity_id: ids().0, subscription_id: ids().1, next_bill_on: day };
    for wrong in [date(2, 30), date(1, 14), None] {
        assert_eq!(
            refusal_reason(into_answer(
                scene.subscriptions().update_subscription_next_bill_on(request_by(STAFF, next(wrong))).await
            )),
            "INVALID_FIELD"
        );
    }
    let started =
        |day| UpdateSubscriptionStartedOnRequest { identity_id: ids().0, subscription_id: ids().1, started_on: day };
    assert_eq!(
        refusal_reason(into_answer(
            scene.subscriptions().update_subscription_started_on(request_by(STAFF, started(date(5, 1)))).await
        )),
        "INVALID_FIELD"
    );
    let moved =
        into_answer(scene.subscriptions().update_subscription_started_on(request_by(STAFF, started(date(1, 1)))).await)
            .unwrap();
    assert_eq!(moved.started_on, date(1, 1));
    let payroll = CreateSubscriptionRequest { billing_period: BillingPeriod::PayPeriod.into(), ..wanted("") };
    let payroll = into_answer(scene.subscriptions().create_subscription(request_by(PLATFORM, payroll)).await).unwrap();
    let advance = AdvanceSubscriptionNextBillOnRequest { identity_id: "alice".into(), subscription_id: payroll.id };
    let refused =
        into_answer(scene.subscriptions().advance_subscription_next_bill_on(request_by(STAFF, advance)).await);
    assert_eq!(refusal_reason(refused), "SUBSCRIPTION_HAS_NO_CYCLE");
}

#[tokio::test]
async fn a_day_of_cancellation_lies_in_the_future_and_can_be_cleared() {
    let scene = scene().await;
    let id = subscription(&scene, "acme").await.id;
    let schedule = |day: i32| ScheduleSubscriptionCancellationRequest {
        group_id: "acme".into(),
        identity_id: "alice".into(),
        subscription_id: id.clone(),
        cancel_on: Some(Date { year: 2026, month: 1, day }),
        reason: CancelReason::NoLongerEmployed.into(),
    };
    let today =
        into_answer(scene.subscriptions().schedule_subscription_cancellation(request_by(ADMIN, schedule(15))).await);
    assert_eq!(refusal_reason(today), "INVALID_FIELD");
    let set =
        into_answer(scene.subscriptions().schedule_subscription_cancellation(request_by(ADMIN, schedule(31))).await)
            .unwrap();
    assert_eq!((set.status(), set.scheduled_cancel_on), (Active, Some(Date { year: 2026, month: 1, day: 31 })));
    let clear = RemoveScheduledSubscriptionCancellationRequest {
        group_id: "acme".into(),
        identity_id: "alice".into(),
        subscription_id: id,
    };
    let clear =
        into_answer(scene.subscriptions().remove_scheduled_subscription_cancellation(request_by(ADMIN, clear)).await)
            .unwrap();
    assert_eq!((clear.scheduled_cancel_on, clear.cancel_reason()), (None, CancelReason::Unspecified));
}

#[tokio::test]
async fn payment_method_of_a_subscription_belongs_to_its_payer() {
    let scene = scene().await;
    let visa = scene.method(card(APPROVES)).await;
    let id = subscription(&scene, "").await.id;
    let update = |method: &str| UpdateSubscriptionPaymentMethodRequest {
        identity_id: "alice".into(),
        subscription_id: id.clone(),
        payment_method_id: method.into(),
    };
    assert_eq!(
        refusal_reason(into_answer(
            scene.subscriptions().update_subscription_payment_method(request_by(ALICE, update("other"))).await
        )),
        "NOT_FOUND"
    );
    let updated = into_answer(
        scene.subscriptions().update_subscription_payment_method(request_by(ALICE, update(&visa.id))).await,
    )
    .unwrap();
    assert_eq!(updated.payment_method_id, visa.id);
    let reassign = ReassignSubscriptionRequest {
        identity_id: "alice".into(),
        subscription_id: id.clone(),
        new_owner_id: "bert".into(),
    };
    let moved = into_answer(scene.subscriptions().reassign_subscription(request_by(STAFF, reassign)).await).unwrap();
    assert_eq!((moved.owner_id.as_str(), moved.payment_method_id.as_str()), ("bert", ""));
    let entry = scene.read_journal("/pavise.billing.v1.SubscriptionService/ReadJournal").await.pop().unwrap();
    assert_eq!(entry.action, "REASSIGN_OWNER");
}

#[tokio::test]
async fn group_methods_pay_for_plans_of_their_group_only() {
    let scene = scene().await;
    let add = CreateGroupPaymentMethodRequest {
        group_id: "acme".into(),
        identity_id: "alice".into(),
        payment_method: Some(card(APPROVES)),
    };
    let added = into_answer(scene.payments().create_group_payment_method(request_by(ADMIN, add)).await).unwrap();
    let paid_with = async |group: &str| {
        let update = UpdateSubscriptionPaymentMethodRequest {
            identity_id: "alice".into(),
            subscription_id: subscription(&scene, group).await.id,
            payment_method_id: added.id.clone(),
        };
        into_answer(scene.subscriptions().update_subscription_payment_method(request_by(ALICE, update)).await)
    };
    assert_eq!(paid_with("acme").await.unwrap().payment_method_id, added.id);
    assert_eq!(refusal_reason(paid_with("").await), "PAYMENT_METHOD_NOT_CHARGEABLE");
    let own = CreateSubscriptionRequest { payment_method_id: added.id.clone(), ..wanted("") };
    assert_eq!(
        refusal_reason(into_answer(scene.subscriptions().create_subscription(request_by(PLATFORM, own)).await)),
        "PAYMENT_METHOD_NOT_CHARGEABLE"
    );
}
