//! Tests of new prices in bulk: whom they concern, when they count, and what is left of one that was withdrawn.

use std::collections::BTreeSet;

use pavise_billing::contract::v1::repricing_service_client::RepricingServiceClient;
use pavise_billing::contract::v1::*;
use pavise_kernel::Result;
use pavise_kernel::common::v1::{BillingPeriod, Date, JournalEntry, RegionCode};
use pavise_kernel::peers::Transport;
use pavise_testkit::runs::run_size;

use crate::changes::{change, make, preview};
use crate::renewals::{begin, come_to, day, get, invoices, plan};
use crate::scene::{
    ALICE, APPROVES, PLATFORM, STAFF, Scene, WireFault, card, into_answer, refusal_reason, request_by, scene, scenes,
    usd,
};

const WORKER: &str = "billing.reprice";
const JOURNAL: &str = "/pavise.billing.v1.RepricingService/ReadJournal";
/// It is 15 January: with more than 30 days of notice.
const FIRST: Date = Date { year: 2026, month: 2, day: 20 };

impl Scene {
    fn repricings(&self) -> RepricingServiceClient<Transport> {
        RepricingServiceClient::new(self.transport())
    }

    async fn repricing(&self, id: &str) -> Repricing {
        let request = GetRepricingRequest { repricing_id: id.into() };
        into_answer(self.repricings().get_repricing(request_by(STAFF, request)).await).unwrap()
    }

    async fn withdraw(&self, id: &str) -> Result<Repricing> {
        let request = WithdrawRepricingRequest { repricing_id: id.into() };
        into_answer(self.repricings().withdraw_repricing(request_by(STAFF, request)).await)
    }

    async fn repricing_rows(&self, id: &str, status: RepricingRowStatus) -> Vec<RepricingRow> {
        let request = ListRepricingRowsRequest {
            repricing_id: id.into(),
            status: status.into(),
            page_size: 500,
            ..ListRepricingRowsRequest::default()
        };
        into_answer(self.repricings().list_repricing_rows(request_by(STAFF, request)).await).unwrap().repricing_rows
    }

    /// The orders to the worker, in the journal.
    async fn orders(&self, action: &str) -> Vec<JournalEntry> {
        self.read_journal(JOURNAL).await.into_iter().filter(|entry| entry.action == action).collect()
    }

    /// The values of the letters about new prices.
    fn price_letters(&self) -> Vec<String> {
        let letters = self.letters().into_iter().filter(|(template, _)| template == "billing.repricing");
        letters.map(|(_, values)| values).collect()
    }
}

/// From 29.95 to 34.95 for the offer of all plans.
fn wanted() -> CreateRepricingRequest {
    CreateRepricingRequest {
        offer_id: "offer".into(),
        product_id: "product".into(),
        old_price: usd(2995),
        price: usd(3495),
        first_day: Some(FIRST),
        note: "costs rise".into(),
        ..CreateRepricingRequest::default()
    }
}

async fn reprice(scene: &Scene, request: CreateRepricingRequest) -> Result<Repricing> {
    into_answer(scene.repricings().create_repricing(request_by(STAFF, request)).await)
}

async fn count(scene: &Scene, of: CreateRepricingRequest) -> RepricingPreview {
    let request = PreviewRepricingRequest {
        offer_id: of.offer_id,
        product_id: of.product_id,
        tier_id: of.tier_id,
        old_price: of.old_price,
        price: of.price,
        first_day: of.first_day,
    };
    into_answer(scene.repricings().preview_repricing(request_by(STAFF, request)).await).unwrap()
}

/// Plans of one offer.
struct Cohort {
    monthly: String,
    annual: String,
    /// All three that match: the third is mallory's.
    matching: BTreeSet<String>,
}

/// Five plans, of which three match: another has another price, and a change of the last one waits. One more is of another
/// offer.
async fn cohort(scene: &Scene) -> Cohort {
    let method = scene.method(card(APPROVES)).await;
    let own = || plan(day(1, 15), &method.id);
    let monthly = begin(scene, own()).await.id;
    let yearly = BillingPeriod::Annual.into();
    let annual =
        begin(scene, CreateSubscriptionRequest { billing_period: yearly, next_bill_on: Some(day(4, 15)), ..own() });
    let annual = annual.await.id;
    let theirs = CreateSubscriptionRequest { identity_id: "mallory".into(), ..plan(day(1, 15), "") };
    let theirs = begin(scene, theirs).await.id;
    let mut cheaper = own();
    cheaper.items[0].price = usd(1995);
    begin(scene, cheaper).await;
    let changing = begin(scene, own()).await.id;
    make(scene, "waits", change(&changing, 3995, ChangeTime::NextBillingDay)).await.unwrap();
    begin(scene, CreateSubscriptionRequest { offer_id: "other".into(), ..own() }).await;
    let matching = BTreeSet::from([monthly.clone(), annual.clone(), theirs]);
    Cohort { monthly, annual, matching }
}

/// The totals of the next bill with nothing changed, and of the one after it.
async fn next_totals(scene: &Scene, id: &str) -> (Option<i64>, Option<i64>) {
    let unchanged = UpdateSubscriptionOfferRequest {
        identity_id: "alice".into(),
        subscription_id: id.into(),
        time: ChangeTime::NextBillingDay.into(),
        ..UpdateSubscriptionOfferRequest::default()
    };
    let shown = preview(scene, ALICE, &unchanged).await.unwrap();
    (shown.total.map(|total| total.amount), shown.next_total.map(|total| total.amount))
}

async fn totals(scene: &Scene, id: &str) -> Vec<i64> {
    invoices(scene, id).await.iter().filter_map(|one| one.total).map(|total| total.amount).collect()
}

#[tokio::test]
async fn three_of_five_plans_are_billed_with_the_new_price_from_their_first_period_after_the_day() {
    for scene in scenes().await {
        let Cohort { monthly, annual, matching } = cohort(&scene).await;
        let counts = count(&scene, wanted()).await;
        assert_eq!((counts.found, counts.matching, counts.is_capped), (5, 3, false));
        let skips: Vec<_> = counts.skips.iter().map(|skip| (skip.reason(), skip.count)).collect();
        assert_eq!(skips, [(RepricingSkipReason::OtherPrice, 1), (RepricingSkipReason::ChangeWaiting, 1)]);
        // The product alone finds the plan of the other offer, too.
        let of_product = count(&scene, CreateRepricingRequest { offer_id: String::new(), ..wanted() }).await;
        assert_eq!((of_product.found, of_product.matching), (6, 4));
        assert_eq!(next_totals(&scene, &monthly).await, (Some(2995), Some(2995)));

        let id = reprice(&scene, wanted()).await.unwrap().id;
        assert_eq!(scene.run_workers("announced").await, 0);
        let announced = scene.repricing(&id).await;
        assert_eq!((announced.status(), announced.repriced, announced.skipped), (RepricingStatus::Announced, 3, 2));
        let rows = scene.repricing_rows(&id, RepricingRowStatus::Repriced).await;
        let repriced: BTreeSet<String> = rows.into_iter().map(|row| row.subscription_id).collect();
        assert_eq!(repriced, matching);
        let skipped = scene.repricing_rows(&id, RepricingRowStatus::Skipped).await;
        let reasons: BTreeSet<i32> = skipped.iter().map(|row| row.skip_reason).collect();
        let expected = [RepricingSkipReason::OtherPrice, RepricingSkipReason::ChangeWaiting].map(i32::from);
        assert_eq!(reasons, BTreeSet::from(expected));
        // Alice has two of the plans, and one letter.
        assert_eq!(scene.price_letters(), ["Legal, 29.95 USD, 34.95 USD, 2026-02-20"; 2]);
        assert_eq!(get(&scene, &monthly).await.items[0].price, usd(2995));
        assert_eq!(next_totals(&scene, &monthly).await, (Some(2995), Some(3495)));
        assert_eq!(next_totals(&scene, &annual).await.0, Some(3495));

        come_to(&scene, day(2, 15)).await;
        assert_eq!(totals(&scene, &monthly).await, [2995], "the period begins before the first day");
        assert_eq!(next_totals(&scene, &monthly).await, (Some(3495), Some(3495)));
        come_to(&scene, day(3, 15)).await;
        assert_eq!(totals(&scene, &monthly).await, [2995, 3495]);
        let billed = get(&scene, &monthly).await;
        assert_eq!((billed.items[0].price, billed.waiting_prices.len()), (usd(3495), 0));
        // 30 days before the charge of a year.
        come_to(&scene, day(3, 16)).await;
        let renewals = scene.letters().into_iter().filter(|(template, _)| template == "billing.renewal");
        assert_eq!(renewals.map(|(_, values)| values).collect::<Vec<_>>(), ["34.95 USD, 2026-04-15"]);
        assert_eq!(totals(&scene, &annual).await, [0_i64; 0]);
        come_to(&scene, day(4, 15)).await;
        assert_eq!(totals(&scene, &annual).await, [3495]);
        assert_eq!(scene.price_letters().len(), 2);
    }
}

#[tokio::test]
async fn what_matches_nothing_comes_too_soon_or_from_others_is_refused() {
    for scene in scenes().await {
        cohort(&scene).await;
        let refused = async |change: &dyn Fn(&mut CreateRepricingRequest)| {
            let mut request = wanted();
            change(&mut request);
            refusal_reason(reprice(&scene, request).await)
        };
        assert_eq!(refused(&|request| request.old_price = usd(4995)).await, "REPRICING_MATCHES_NONE");
        assert_eq!(refused(&|request| request.offer_id = "unknown".into()).await, "REPRICING_MATCHES_NONE");
        // 30 days after 15 January is 14 February.
        assert_eq!(refused(&|request| request.first_day = Some(day(2, 13))).await, "INVALID_FIELD");
        assert_eq!(refused(&|request| request.price = request.old_price).await, "INVALID_FIELD");
        let by_member = scene.repricings().create_repricing(request_by(ALICE, wanted())).await;
        assert_eq!(refusal_reason(into_answer(by_member)), "REALM_NOT_ALLOWED");
        let soonest = CreateRepricingRequest { first_day: Some(day(2, 14)), ..wanted() };
        reprice(&scene, soonest).await.unwrap();
        assert_eq!(scene.run_workers("announced").await, 0);
        // The same plans do not get a second price meanwhile.
        assert_eq!(refused(&|_| {}).await, "REPRICING_MATCHES_NONE");
    }
}

#[tokio::test]
async fn a_repricing_that_is_withdrawn_changes_no_bill_and_sends_no_letter() {
    for scene in scenes().await {
        let Cohort { monthly, annual, .. } = cohort(&scene).await;
        let id = reprice(&scene, wanted()).await.unwrap().id;
        assert_eq!(scene.handle_all(WORKER).await, 0);
        assert_eq!(get(&scene, &monthly).await.waiting_prices.len(), 1);
        assert_eq!(scene.withdraw(&id).await.unwrap().status(), RepricingStatus::Withdrawing);
        assert_eq!(next_totals(&scene, &annual).await.0, Some(2995), "also before the worker dropped the price");
        assert_eq!(scene.run_workers("withdrawn").await, 0);
        let withdrawn = scene.repricing(&id).await;
        assert_eq!((withdrawn.status(), withdrawn.withdrawn), (RepricingStatus::Withdrawn, 3));
        assert_eq!(scene.repricing_rows(&id, RepricingRowStatus::Withdrawn).await.len(), 3);
        assert!(scene.repricing_rows(&id, RepricingRowStatus::Repriced).await.is_empty());
        assert!(get(&scene, &monthly).await.waiting_prices.is_empty());
        assert!(scene.price_letters().is_empty());
        // Another one finds the plans as before. On its first day it is too late.
        let id = reprice(&scene, wanted()).await.unwrap().id;
        come_to(&scene, day(2, 15)).await;
        scene.go_to(FIRST);
        assert_eq!(refusal_reason(scene.withdraw(&id).await), "REPRICING_BEGUN");
        come_to(&scene, day(3, 15)).await;
        assert_eq!(totals(&scene, &monthly).await, [2995, 3495]);
    }
}

#[tokio::test]
async fn the_balance_shows_the_bill_with_the_new_price() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let texan = CreateSubscriptionRequest {
            administrative_area: RegionCode::Tx.into(),
            billing_frequency: 2,
            next_bill_on: Some(day(2, 19)),
            bill_cycle_day: 19,
            ..plan(day(1, 15), &method.id)
        };
        let id = begin(&scene, texan).await.id;
        reprice(&scene, wanted()).await.unwrap();
        assert_eq!(scene.run_workers("announced").await, 0);
        // Two months at once, and a tenth of tax.
        for (on, total) in [(day(2, 19), 2 * 2995 + 599), (day(4, 19), 2 * 3495 + 699)] {
            let ask = GetBalanceRequest { identity_id: "alice".into() };
            let shown = into_answer(scene.invoices().get_balance(request_by(ALICE, ask)).await).unwrap();
            let next = shown.balances.into_iter().map(|one| (one.next_charge_on, one.next_charge));
            assert_eq!(next.collect::<Vec<_>>(), [(Some(on), usd(total))]);
            come_to(&scene, on).await;
            assert_eq!(totals(&scene, &id).await.pop(), Some(total));
        }
    }
}

/// The worker may be late with the withdrawal: the bill asks the repricing itself.
#[tokio::test]
async fn a_bill_before_the_withdrawal_is_done_has_the_old_price() {
    for scene in scenes().await {
        let Cohort { monthly, .. } = cohort(&scene).await;
        let id = reprice(&scene, wanted()).await.unwrap().id;
        assert_eq!(scene.handle_all(WORKER).await, 0);
        come_to(&scene, day(2, 15)).await;
        scene.withdraw(&id).await.unwrap();
        scene.go_to(day(3, 15));
        scene.run_timer("billing.renewals", "before the worker").await.unwrap();
        assert_eq!(totals(&scene, &monthly).await, [2995, 2995]);
        assert_eq!(scene.run_workers("withdrawn").await, 0);
        assert_eq!(scene.repricing(&id).await.withdrawn, 3);
    }
}

#[tokio::test]
async fn another_plan_drops_the_price_that_waits() {
    for scene in scenes().await {
        let Cohort { monthly, .. } = cohort(&scene).await;
        let id = reprice(&scene, wanted()).await.unwrap().id;
        assert_eq!(scene.handle_all(WORKER).await, 0);
        make(&scene, "later", change(&monthly, 1995, ChangeTime::NextBillingDay)).await.unwrap();
        assert_eq!(get(&scene, &monthly).await.waiting_prices.len(), 1, "the change is not taken up yet");
        come_to(&scene, day(2, 15)).await;
        let changed = get(&scene, &monthly).await;
        assert_eq!((changed.items[0].price, changed.waiting_prices.len()), (usd(1995), 0));
        come_to(&scene, day(3, 15)).await;
        assert_eq!(totals(&scene, &monthly).await, [1995, 1995]);
        assert_eq!(scene.repricing(&id).await.repriced, 3);
    }
}

/// Wherever the process is killed, each plan has one row and one new price, and each member one letter.
#[tokio::test]
async fn a_walk_that_is_killed_between_any_two_rows_goes_on() {
    const CUTS: [WireFault; 4] = [WireFault::Before, WireFault::After, WireFault::KilledBefore, WireFault::KilledAfter];
    // GetRepricing, a call for each of five plans, AdvanceRepricing; the same for the page after the last one.
    // The short form takes every third.
    for at in (0..10).step_by(run_size(3, 1)) {
        for how in CUTS {
            let scene = scene().await;
            let Cohort { matching, .. } = cohort(&scene).await;
            let id = reprice(&scene, wanted()).await.unwrap().id;
            let order = scene.orders("REPRICING_REQUESTED").await.remove(0);
            scene.wire.break_after(at, how);
            let _: Option<Result<()>> = scene.wire.unless_killed(scene.handle_entry(WORKER, &order)).await;
            assert!(!scene.wire.is_uncut(), "{at} {how:?}");
            assert_eq!(scene.run_workers("again").await, 0, "{at} {how:?}");
            let after = scene.repricing(&id).await;
            let counts = (after.status(), after.repriced, after.skipped);
            assert_eq!(counts, (RepricingStatus::Announced, 3, 2), "{at} {how:?}");
            let rows = scene.repricing_rows(&id, RepricingRowStatus::Unspecified).await;
            let plans: BTreeSet<&str> = rows.iter().map(|row| row.subscription_id.as_str()).collect();
            assert_eq!((rows.len(), plans.len()), (5, 5), "{at} {how:?}");
            let journal = scene.read_journal("/pavise.billing.v1.SubscriptionService/ReadJournal").await;
            let priced = journal.iter().filter(|entry| entry.action == "PRICE_ANNOUNCED");
            let priced: Vec<&str> = priced.map(|entry| entry.entity_id.as_str()).collect();
            assert_eq!(priced.len(), 3, "{at} {how:?}");
            assert!(matching.iter().all(|id| priced.contains(&id.as_str())), "{at} {how:?}");
            assert_eq!(scene.price_letters().len(), 2, "{at} {how:?}");
        }
    }
}

#[tokio::test]
async fn a_withdrawal_that_is_killed_between_any_two_rows_goes_on() {
    // GetRepricing, a call for each of three rows, AdvanceRepricing; the same for the page after the last one.
    for at in (0..8).step_by(run_size(3, 1)) {
        for how in [WireFault::After, WireFault::KilledBefore, WireFault::KilledAfter] {
            let scene = scene().await;
            let Cohort { monthly, .. } = cohort(&scene).await;
            let id = reprice(&scene, wanted()).await.unwrap().id;
            assert_eq!(scene.handle_all(WORKER).await, 0);
            scene.withdraw(&id).await.unwrap();
            let order = scene.orders("REPRICING_WITHDRAWN").await.remove(0);
            scene.wire.break_after(at, how);
            let _: Option<Result<()>> = scene.wire.unless_killed(scene.handle_entry(WORKER, &order)).await;
            assert!(!scene.wire.is_uncut(), "{at} {how:?}");
            assert_eq!(scene.run_workers("again").await, 0, "{at} {how:?}");
            let after = scene.repricing(&id).await;
            assert_eq!((after.status(), after.withdrawn), (RepricingStatus::Withdrawn, 3), "{at} {how:?}");
            assert!(get(&scene, &monthly).await.waiting_prices.is_empty(), "{at} {how:?}");
            let journal = scene.read_journal("/pavise.billing.v1.SubscriptionService/ReadJournal").await;
            let dropped = journal.iter().filter(|entry| entry.action == "PRICE_WITHDRAWN").count();
            assert_eq!(dropped, 3, "{at} {how:?}");
        }
    }
}

#[tokio::test]
async fn only_the_platform_reprices_one_plan() {
    let scene = scene().await;
    let Cohort { monthly, .. } = cohort(&scene).await;
    let id = reprice(&scene, wanted()).await.unwrap().id;
    let one = || RepriceSubscriptionRequest { repricing_id: id.clone(), subscription_id: monthly.clone() };
    for who in [ALICE, STAFF] {
        let refused = scene.repricings().reprice_subscription(request_by(who, one())).await;
        assert_eq!(refusal_reason(into_answer(refused)), "REALM_NOT_ALLOWED");
    }
    for _ in 0..2 {
        let made = into_answer(scene.repricings().reprice_subscription(request_by(PLATFORM, one())).await).unwrap();
        assert_eq!(made.status(), RepricingRowStatus::Repriced);
    }
    assert_eq!(get(&scene, &monthly).await.waiting_prices.len(), 1);
}
