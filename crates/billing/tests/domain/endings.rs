//! Tests of the end of a subscription, and of the callers who may take it back.

use std::time::Duration;

use pavise_billing::contract::MIGRATIONS;
use pavise_billing::contract::v1::SubscriptionStatus::{Active, Cancelled, PendingCancel, Suspended};
use pavise_billing::contract::v1::*;
use pavise_kernel::Result;
use pavise_kernel::common::v1::Date;
use pavise_kernel::migrations::Migration;

use crate::scene::{
    ADMIN, ALICE, MALLORY, PLATFORM, STAFF, Scene, into_answer, refusal_reason, request_by, request_with_key, scenes,
};

/// A subscription of alice's through a group, which is paid to the end of January.
async fn subscription(scene: &Scene) -> String {
    let made = crate::subscriptions::subscription(scene, "acme").await;
    let paid = UpdateSubscriptionPaidToDateRequest {
        identity_id: "alice".into(),
        subscription_id: made.id.clone(),
        paid_to_date: Some(Date { year: 2026, month: 1, day: 31 }),
    };
    into_answer(scene.subscriptions().update_subscription_paid_to_date(request_by(STAFF, paid)).await).unwrap();
    made.id
}

async fn end(scene: &Scene, who: &str, id: &str) -> Result<Subscription> {
    let request = PendingCancelSubscriptionRequest {
        identity_id: "alice".into(),
        subscription_id: id.into(),
        ..Default::default()
    };
    into_answer(scene.subscriptions().pending_cancel_subscription(request_by(who, request)).await)
}

async fn end_by_group(scene: &Scene, id: &str, reason: CancelReason) {
    let request = PendingCancelGroupSubscriptionRequest {
        group_id: "acme".into(),
        identity_id: "alice".into(),
        subscription_id: id.into(),
        reason: reason.into(),
    };
    into_answer(scene.subscriptions().pending_cancel_group_subscription(request_by(ADMIN, request)).await).unwrap();
}

fn wish(owner: &str, group: &str, id: &str) -> RemovePendingCancelSubscriptionRequest {
    RemovePendingCancelSubscriptionRequest {
        group_id: group.into(),
        identity_id: owner.into(),
        subscription_id: id.into(),
    }
}

async fn keep(scene: &Scene, who: &str, id: &str) -> Result<Subscription> {
    let group = if who == ADMIN { "acme" } else { "" };
    into_answer(
        scene.subscriptions().remove_pending_cancel_subscription(request_by(who, wish("alice", group, id))).await,
    )
}

#[tokio::test]
async fn member_takes_a_pending_end_back() {
    for scene in scenes().await {
        let id = subscription(&scene).await;
        let ended = end(&scene, ALICE, &id).await.unwrap();
        assert_eq!(
            (ended.status(), ended.cancel_reason(), ended.status_before_end()),
            (PendingCancel, CancelReason::MemberRequestedCancel, Active)
        );
        assert_eq!(end(&scene, ALICE, &id).await.unwrap(), ended, "to ask again changes nothing");
        let others = into_answer(
            scene
                .subscriptions()
                .remove_pending_cancel_subscription(request_by(MALLORY, wish("mallory", "", &id)))
                .await,
        );
        assert_eq!(refusal_reason(others), "NOT_FOUND");
        assert_eq!(refusal_reason(keep(&scene, MALLORY, &id).await), "NOT_THE_OWNER");
        let back = || request_with_key(ALICE, "k", wish("alice", "", &id));
        let kept = into_answer(scene.subscriptions().remove_pending_cancel_subscription(back()).await).unwrap();
        assert_eq!(
            (kept.status(), kept.cancel_reason(), kept.status_before_end()),
            (Active, CancelReason::Unspecified, SubscriptionStatus::Unspecified)
        );
        let repeated = into_answer(scene.subscriptions().remove_pending_cancel_subscription(back()).await).unwrap();
        assert_eq!(repeated, kept, "a repeat has the effect of one");
        assert_eq!(
            refusal_reason(keep(&scene, ALICE, &id).await),
            "STATUS_NOT_ALLOWED",
            "there is nothing to take back"
        );
    }
}

#[tokio::test]
async fn end_that_others_decided_cannot_be_taken_back() {
    for scene in scenes().await {
        let id = subscription(&scene).await;
        end_by_group(&scene, &id, CancelReason::NoLongerEmployed).await;
        assert_eq!(
            end(&scene, ALICE, &id).await.unwrap().cancel_reason(),
            CancelReason::NoLongerEmployed,
            "it stays theirs"
        );
        let refusal = keep(&scene, ALICE, &id).await.unwrap_err();
        assert!(
            refusal.is(ErrorReason::SubscriptionEndNotYours) && refusal.message().ends_with("NO_LONGER_EMPLOYED"),
            "{refusal}"
        );
        assert_eq!(keep(&scene, ADMIN, &id).await.unwrap().status(), Active);

        assert_eq!(end(&scene, STAFF, &id).await.unwrap().cancel_reason(), CancelReason::Unspecified);
        assert_eq!(refusal_reason(keep(&scene, ALICE, &id).await), "SUBSCRIPTION_END_NOT_YOURS");
        assert_eq!(keep(&scene, STAFF, &id).await.unwrap().status(), Active);

        end_by_group(&scene, &id, CancelReason::MemberRequestedCancel).await;
        assert_eq!(keep(&scene, ALICE, &id).await.unwrap().status(), Active, "she had asked her group for it");
    }
}

#[tokio::test]
async fn taking_an_end_back_leads_out_of_no_suspension() {
    for scene in scenes().await {
        let id = subscription(&scene).await;
        let suspend = SuspendSubscriptionRequest {
            identity_id: "alice".into(),
            subscription_id: id.clone(),
            ..Default::default()
        };
        into_answer(scene.subscriptions().suspend_subscription(request_by(STAFF, suspend)).await).unwrap();
        end(&scene, ALICE, &id).await.unwrap();
        assert_eq!(keep(&scene, ALICE, &id).await.unwrap().status(), Suspended);
        let activate = ActivateSubscriptionRequest { identity_id: "alice".into(), subscription_id: id.clone() };
        assert_eq!(
            refusal_reason(into_answer(scene.subscriptions().activate_subscription(request_by(ALICE, activate)).await)),
            "REALM_NOT_ALLOWED",
            "that is for staff"
        );
    }
}

#[tokio::test]
async fn a_member_reads_why_staff_suspended_or_ended_a_subscription() {
    for scene in scenes().await {
        let id = subscription(&scene).await;
        let suspend = |reason: SuspendReason| SuspendSubscriptionRequest {
            identity_id: "alice".into(),
            subscription_id: id.clone(),
            reason: reason.into(),
        };
        let read = async || {
            let get = GetSubscriptionRequest { identity_id: "alice".into(), subscription_id: id.clone() };
            into_answer(scene.subscriptions().get_subscription(request_by(ALICE, get)).await).unwrap()
        };
        for reason in [SuspendReason::Payment, SuspendReason::Review] {
            into_answer(scene.subscriptions().suspend_subscription(request_by(STAFF, suspend(reason))).await).unwrap();
            assert_eq!((read().await.status(), read().await.suspend_reason()), (Suspended, reason));
        }
        end(&scene, ALICE, &id).await.unwrap();
        assert_eq!(
            keep(&scene, ALICE, &id).await.unwrap().suspend_reason(),
            SuspendReason::Review,
            "it stands where it stood"
        );
        let activate = ActivateSubscriptionRequest { identity_id: "alice".into(), subscription_id: id.clone() };
        let active =
            into_answer(scene.subscriptions().activate_subscription(request_by(STAFF, activate)).await).unwrap();
        assert_eq!(active.suspend_reason(), SuspendReason::Unspecified);

        let ending = |reason: CancelReason| PendingCancelSubscriptionRequest {
            identity_id: "alice".into(),
            subscription_id: id.clone(),
            reason: reason.into(),
        };
        let deceased = ending(CancelReason::Deceased);
        into_answer(scene.subscriptions().pending_cancel_subscription(request_by(STAFF, deceased.clone())).await)
            .unwrap();
        assert_eq!(read().await.cancel_reason(), CancelReason::Deceased);
        assert_eq!(keep(&scene, STAFF, &id).await.unwrap().cancel_reason(), CancelReason::Unspecified);
        into_answer(scene.subscriptions().pending_cancel_subscription(request_by(ALICE, deceased)).await).unwrap();
        assert_eq!(read().await.cancel_reason(), CancelReason::MemberRequestedCancel, "a member's own end is a wish");
    }
}

#[tokio::test]
async fn once_its_last_day_is_over_or_it_is_cancelled_an_end_stands() {
    for scene in scenes().await {
        let (passed, cancelled) = (subscription(&scene).await, subscription(&scene).await);
        end(&scene, ALICE, &passed).await.unwrap();
        end(&scene, ALICE, &cancelled).await.unwrap();
        let cancel = CancelSubscriptionRequest {
            identity_id: "alice".into(),
            subscription_id: cancelled.clone(),
            reason: CancelReason::MemberRequestedCancel.into(),
            ..CancelSubscriptionRequest::default()
        };
        let over = into_answer(scene.subscriptions().cancel_subscription(request_by(STAFF, cancel)).await).unwrap();
        assert_eq!((over.status(), over.status_before_end()), (Cancelled, SubscriptionStatus::Unspecified));
        assert_eq!(refusal_reason(keep(&scene, ALICE, &cancelled).await), "STATUS_NOT_ALLOWED");
        // From 15 January to 1 February.
        scene.clock.move_forward(Duration::from_secs(17 * 24 * 3600));
        assert_eq!(refusal_reason(keep(&scene, ALICE, &passed).await), "SUBSCRIPTION_END_PASSED");
        assert_eq!(keep(&scene, STAFF, &passed).await.unwrap().status(), Active, "staff may all the same");
    }
}

/// Sets a day for a subscription of alice's.
async fn schedule(scene: &Scene, id: &str, day: i32) {
    let request = ScheduleSubscriptionCancellationRequest {
        group_id: "acme".into(),
        identity_id: "alice".into(),
        subscription_id: id.into(),
        cancel_on: Some(Date { year: 2026, month: 1, day }),
        reason: CancelReason::NoLongerEmployed.into(),
    };
    into_answer(scene.subscriptions().schedule_subscription_cancellation(request_by(ADMIN, request)).await).unwrap();
}

async fn get(scene: &Scene, id: &str) -> Subscription {
    let request = GetSubscriptionRequest { identity_id: "alice".into(), subscription_id: id.into() };
    into_answer(scene.subscriptions().get_subscription(request_by(ALICE, request)).await).unwrap()
}

const DAY: Duration = Duration::from_secs(24 * 3600);

#[tokio::test]
async fn pending_ends_happen_once_on_their_day() {
    for scene in scenes().await {
        let mut ids = Vec::new();
        for _ in 0..5 {
            ids.push(subscription(&scene).await);
        }
        let [pending, kept, scheduled, averted, lasting] = [0, 1, 2, 3, 4].map(|at| ids[at].clone());
        end(&scene, ALICE, &pending).await.unwrap();
        end(&scene, ALICE, &kept).await.unwrap();
        keep(&scene, ALICE, &kept).await.unwrap();
        schedule(&scene, &scheduled, 20).await;
        schedule(&scene, &averted, 20).await;
        let avert = RemoveScheduledSubscriptionCancellationRequest {
            group_id: "acme".into(),
            identity_id: "alice".into(),
            subscription_id: averted.clone(),
        };
        into_answer(scene.subscriptions().remove_scheduled_subscription_cancellation(request_by(ADMIN, avert)).await)
            .unwrap();
        // 15 January, then 19, 20, 31, and 1 February.
        let mut days = Vec::new();
        for (number, wait) in [0, 4, 1, 11, 1].into_iter().enumerate() {
            scene.clock.move_forward(DAY * wait);
            assert_eq!(scene.run_workers(&format!("day {number}")).await, 0);
            days.push([get(&scene, &scheduled).await.status(), get(&scene, &pending).await.status()]);
        }
        assert_eq!(
            days,
            [
                [Active, PendingCancel],
                [Active, PendingCancel],
                [Cancelled, PendingCancel],
                [Cancelled, PendingCancel],
                [Cancelled, Cancelled]
            ]
        );
        let over = get(&scene, &scheduled).await;
        let on = |month, day| Some(Date { year: 2026, month, day });
        assert_eq!((over.cancel_reason(), over.cancelled_on), (CancelReason::NoLongerEmployed, on(1, 20)));
        assert_eq!((over.scheduled_cancel_on, over.due_to_end_on.as_str()), (None, ""));
        let over = get(&scene, &pending).await;
        assert_eq!((over.cancel_reason(), over.cancelled_on), (CancelReason::MemberRequestedCancel, on(2, 1)));
        scene.clock.move_forward(DAY * 400);
        scene.run_workers("much later").await;
        for id in [&kept, &averted, &lasting] {
            // Nobody has paid it all the while.
            let status = get(&scene, id).await.status();
            assert_eq!(status, SubscriptionStatus::CatchingUp, "what was taken back, or never asked for, goes on");
        }
        let entries = scene.read_journal("/pavise.billing.v1.SubscriptionService/ReadJournal").await;
        let ended: Vec<_> =
            entries.iter().filter(|entry| entry.action == "ENDED").map(|entry| &entry.entity_id).collect();
        assert_eq!(ended, [&scheduled, &pending], "each once");
    }
}

const SET: Option<Date> = Some(Date { year: 2026, month: 1, day: 20 });

#[tokio::test]
async fn a_day_that_was_set_stays_whatever_brings_a_subscription_back() {
    for scene in scenes().await {
        let id = subscription(&scene).await;
        schedule(&scene, &id, 20).await;
        let ids = || ("alice".to_owned(), id.clone());
        let activate = async || {
            let request = ActivateSubscriptionRequest { identity_id: ids().0, subscription_id: ids().1 };
            into_answer(scene.subscriptions().activate_subscription(request_by(STAFF, request)).await).unwrap()
        };
        let stays = |back: &Subscription| {
            assert_eq!((back.status(), back.scheduled_cancel_on), (Active, SET));
            assert_eq!(
                (back.cancel_reason(), back.due_to_end_on.as_str()),
                (CancelReason::NoLongerEmployed, "2026-01-20")
            );
        };
        let suspend =
            SuspendSubscriptionRequest { identity_id: ids().0, subscription_id: ids().1, ..Default::default() };
        into_answer(scene.subscriptions().suspend_subscription(request_by(STAFF, suspend)).await).unwrap();
        stays(&activate().await);
        end(&scene, ALICE, &id).await.unwrap();
        stays(&activate().await);
        let announce = PreCancelSubscriptionRequest { identity_id: ids().0, subscription_id: ids().1 };
        into_answer(scene.subscriptions().pre_cancel_subscription(request_by(STAFF, announce)).await).unwrap();
        stays(&activate().await);

        let invoice = crate::subscriptions::invoice(&scene, &id).await;
        let catch_up = CatchUpSubscriptionRequest { identity_id: ids().0, subscription_id: ids().1 };
        let behind =
            into_answer(scene.subscriptions().catch_up_subscription(request_by(STAFF, catch_up)).await).unwrap();
        assert_eq!(behind.status(), SubscriptionStatus::CatchingUp);
        let void = VoidInvoiceRequest { identity_id: "alice".into(), invoice_id: invoice.id };
        into_answer(scene.invoices().void_invoice(request_by(STAFF, void)).await).unwrap();
        assert_eq!(scene.run_workers("caught up").await, 0);
        stays(&get(&scene, &id).await);

        // Without a day, the reason of the withdrawn end is gone.
        let other = subscription(&scene).await;
        end(&scene, ALICE, &other).await.unwrap();
        let request = ActivateSubscriptionRequest { identity_id: ids().0, subscription_id: other };
        let back = into_answer(scene.subscriptions().activate_subscription(request_by(STAFF, request)).await).unwrap();
        assert_eq!((back.status(), back.cancel_reason()), (Active, CancelReason::Unspecified));
    }
}

#[tokio::test]
async fn her_own_wish_does_not_take_the_place_of_why_a_day_was_set() {
    for scene in scenes().await {
        let id = subscription(&scene).await;
        schedule(&scene, &id, 20).await;
        for who in [ALICE, STAFF] {
            let ended = end(&scene, ALICE, &id).await.unwrap();
            assert_eq!(
                (ended.cancel_reason(), ended.cancel_reason_before_end()),
                (CancelReason::MemberRequestedCancel, CancelReason::NoLongerEmployed)
            );
            let kept = keep(&scene, who, &id).await.unwrap();
            assert_eq!((kept.status(), kept.scheduled_cancel_on), (Active, SET));
            assert_eq!(
                (kept.cancel_reason(), kept.cancel_reason_before_end()),
                (CancelReason::NoLongerEmployed, CancelReason::Unspecified),
                "{who}"
            );
        }
        end(&scene, ALICE, &id).await.unwrap();
        scene.clock.move_forward(DAY * 5);
        assert_eq!(scene.run_workers("its day").await, 0);
        let over = get(&scene, &id).await;
        assert_eq!((over.status(), over.cancelled_on), (Cancelled, SET));
        assert_eq!(
            over.cancel_reason(),
            CancelReason::NoLongerEmployed,
            "it ended on the day that was set, for that reason"
        );
        assert_eq!(over.cancel_reason_before_end(), CancelReason::Unspecified);
    }
}

#[tokio::test]
async fn only_the_platform_ends_what_is_due_and_nothing_else() {
    for scene in scenes().await {
        let id = subscription(&scene).await;
        end(&scene, ALICE, &id).await.unwrap();
        let ask = || EndSubscriptionRequest { subscription_id: id.clone() };
        for who in [ALICE, STAFF, ADMIN] {
            assert_eq!(
                refusal_reason(into_answer(scene.subscriptions().end_subscription(request_by(who, ask())).await)),
                "REALM_NOT_ALLOWED"
            );
        }
        let early = into_answer(scene.subscriptions().end_subscription(request_by(PLATFORM, ask())).await).unwrap();
        assert_eq!(
            (early.status(), early.due_to_end_on.as_str()),
            (PendingCancel, "2026-02-01"),
            "its day has not come"
        );
        // Late by two months: the end keeps its day.
        scene.clock.move_forward(DAY * 60);
        let late = into_answer(scene.subscriptions().end_subscription(request_by(PLATFORM, ask())).await).unwrap();
        assert_eq!((late.status(), late.cancelled_on), (Cancelled, Some(Date { year: 2026, month: 2, day: 1 })));
        assert_eq!(
            into_answer(scene.subscriptions().end_subscription(request_by(PLATFORM, ask())).await).unwrap(),
            late
        );
        let none = EndSubscriptionRequest { subscription_id: "none".into() };
        assert_eq!(
            refusal_reason(into_answer(scene.subscriptions().end_subscription(request_by(PLATFORM, none)).await)),
            "NOT_FOUND"
        );
    }
}

#[tokio::test]
async fn administrator_without_a_group_acts_as_a_member() {
    for scene in scenes().await {
        let id = subscription(&scene).await;
        end_by_group(&scene, &id, CancelReason::NoLongerEmployed).await;
        // Alice administers another group, and is a member of this one.
        let herself = "GroupAdmin/alice/other";
        assert_eq!(refusal_reason(keep(&scene, herself, &id).await), "SUBSCRIPTION_END_NOT_YOURS");
        let through = |group: &str| request_by(herself, wish("alice", group, &id));
        assert_eq!(
            refusal_reason(into_answer(
                scene.subscriptions().remove_pending_cancel_subscription(through("acme")).await
            )),
            "NOT_THE_OWNER"
        );
        assert_eq!(
            refusal_reason(into_answer(
                scene.subscriptions().remove_pending_cancel_subscription(through("other")).await
            )),
            "NOT_FOUND"
        );
    }
}

/// The migration that gives early pending ends their day.
fn payroll_ends(of: &[Migration]) -> &'static str {
    of.iter().find(|step| step.sql.contains("payroll_ends")).unwrap().sql
}

#[tokio::test]
async fn a_pending_end_from_before_there_was_a_last_day_comes() {
    let early = [
        "UPDATE subscriptions SET doc = json_remove(doc, '$.endsAfter', '$.dueToEndOn');
         UPDATE subscriptions_journal SET doc = json_remove(doc, '$.endsAfter', '$.dueToEndOn');
         DELETE FROM subscriptions_lookup WHERE name = 'due_to_end_on'",
        "UPDATE subscriptions SET doc = doc - 'endsAfter' - 'dueToEndOn';
         UPDATE subscriptions_journal SET doc = doc - 'endsAfter' - 'dueToEndOn';
         DELETE FROM subscriptions_lookup WHERE name = 'due_to_end_on'",
    ];
    let steps = [payroll_ends(MIGRATIONS.sqlite), payroll_ends(MIGRATIONS.postgres)];
    for ((scene, early), step) in scenes().await.into_iter().zip(early).zip(steps) {
        let payroll = crate::subscriptions::payroll(&scene).await.id;
        end(&scene, ALICE, &payroll).await.unwrap();
        let sooner = crate::subscriptions::payroll(&scene).await.id;
        schedule(&scene, &sooner, 20).await;
        end(&scene, ALICE, &sooner).await.unwrap();
        scene.database().execute(early).await;
        scene.clock.move_forward(DAY * 60);
        assert_eq!(scene.run_workers("nothing is due").await, 0);
        assert_eq!(get(&scene, &payroll).await.status(), PendingCancel, "the lookup is empty");
        scene.database().execute(step).await;
        assert_eq!(scene.run_workers("the migration found the days").await, 0);
        for (id, day) in
            [(&payroll, Date { year: 2026, month: 2, day: 1 }), (&sooner, Date { year: 2026, month: 1, day: 20 })]
        {
            let over = get(&scene, id).await;
            assert_eq!((over.status(), over.cancelled_on), (Cancelled, Some(day)), "{over:?}");
        }
    }
}
