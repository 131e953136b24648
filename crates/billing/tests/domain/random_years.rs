//! Random years of one plan: cards that are refused or silent, changes, refunds, credits, missed days, and workers that are
//! cut off or killed at any call. Each period is billed once, and is paid or within the days of the schedule.

use std::collections::BTreeMap;
use std::time::Duration;

use pavise_billing::contract::v1::*;
use pavise_kernel::common::v1::{Date, Money, RegionCode};
use pavise_kernel::time::{add_days, to_days};
use pavise_kernel::worker::JournalFeed;
use pavise_testkit::chance::SeededRandom;
use pavise_testkit::runs::{run_size, under_seeds};

use crate::changes::{change, lines, make, preview};
use crate::credits::{credits, give};
use crate::renewals::{begin, get, invoices, plan};
use crate::scene::{
    ALICE, APPROVES, STAFF, Scene, WireFault, card, into_answer, request_by, request_with_key, scene, usd,
};

/// The cards: one is good, one is refused, and the answers to one are lost.
const TOKENS: [&str; 3] = [APPROVES, "test_4000000000000002", "test_4000000000000005"];
const SILENT: usize = 2;
const CUTS: [WireFault; 4] = [WireFault::Before, WireFault::After, WireFault::KilledBefore, WireFault::KilledAfter];
/// The calls after which the wire may be cut on a day.
const CALLS: usize = 60;
/// The days from the first refusal to the last try.
const GRACE: i64 = 7;
const ROUNDS: usize = 8;
/// The waits after a fault, in seconds. After the last one, a payment that a killed process began is asked for.
const WAITS: [u64; 3] = [1, 61, 16 * 60];

/// The events of some years.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    days: usize,
    faults: usize,
    periods: usize,
    changes: usize,
    declined: usize,
    refunds: usize,
    refused: usize,
}

impl Tally {
    fn with(self, other: Self) -> Self {
        Self {
            days: self.days + other.days,
            faults: self.faults + other.faults,
            periods: self.periods + other.periods,
            changes: self.changes + other.changes,
            declined: self.declined + other.declined,
            refunds: self.refunds + other.refunds,
            refused: self.refused + other.refused,
        }
    }
}

#[test]
fn every_period_is_billed_once_and_is_paid_or_within_grace() {
    let months = i64::try_from(run_size(5, 13)).unwrap();
    let years = under_seeds(run_size(3, 60), |seed| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async { Year::begin(seed).await.live(months).await })
    });
    let met = years.into_iter().fold(Tally::default(), Tally::with);
    println!("{met:?}: each period billed once, paid or within grace, previews equal to their invoices");
    assert!(met.periods > 0 && met.faults > 0 && met.changes > 0, "{met:?}");
}

/// A period, as the oracle counts it: its days since 1970, the last one included.
type Days = (i64, i64);

struct Year {
    scene: Scene,
    random: SeededRandom,
    /// The entries that each worker has handled.
    handled: BTreeMap<&'static str, i64>,
    subscription: String,
    first: Date,
    today: Date,
    cards: Vec<String>,
    /// The card that is charged, by its place.
    charged: usize,
    /// The day on which a change begins that waits, and the total of that day's bill as the preview had it.
    awaited: Option<(Date, i64)>,
    tally: Tally,
}

impl Year {
    async fn begin(seed: u64) -> Self {
        let mut random = SeededRandom::new(seed);
        let scene = scene().await;
        let mut cards = Vec::new();
        for token in TOKENS {
            cards.push(scene.method(card(token)).await.id);
        }
        // The scene begins on the 15th.
        let first = Date { year: 2026, month: 1, day: 15 + i32::try_from(random.next_below(17)).unwrap() };
        let mut wanted = plan(first, &cards[0]);
        if random.is_in_percent(50) {
            wanted.administrative_area = RegionCode::Tx.into();
        }
        let subscription = begin(&scene, wanted).await.id;
        let (handled, tally) = (BTreeMap::new(), Tally::default());
        let today = first;
        Self { scene, random, handled, subscription, first, today, cards, charged: 0, awaited: None, tally }
    }

    async fn live(mut self, months: i64) -> Tally {
        while to_days(self.today) < to_days(self.first) + months * 30 {
            // Now and then nothing runs for weeks.
            let step =
                if self.random.is_in_percent(4) { 20 + self.random.next_below(30) } else { self.random.next_below(4) };
            self.today = add_days(self.today, 1 + i64::try_from(step).unwrap());
            self.scene.go_to(self.today);
            self.tally.days += 1;
            self.work().await;
            let subscription = get(&self.scene, &self.subscription).await;
            self.check(&subscription).await;
            if subscription.status() == SubscriptionStatus::Cancelled {
                break;
            }
            self.act(&subscription).await;
        }
        self.end().await
    }

    /// Lets the workers do what is due, and cuts them off at any call.
    async fn work(&mut self) {
        let is_cut = self.random.is_in_percent(30);
        if is_cut {
            let how = *self.random.pick_one(&CUTS);
            self.scene.wire.break_after(self.random.next_below(CALLS), how);
        }
        let occasion = format!("{:?}", self.today);
        let _ = self.scene.wire.unless_killed(run(&self.scene, &mut self.handled, &occasion)).await;
        let was_cut = is_cut && !self.scene.wire.is_uncut();
        self.scene.wire.cancel_cut();
        self.tally.faults += usize::from(was_cut);
        if was_cut || self.charged == SILENT {
            for wait in WAITS {
                self.scene.clock.move_forward(Duration::from_secs(wait));
                run(&self.scene, &mut self.handled, &format!("{occasion} {wait}")).await;
            }
        }
    }

    /// The periods that have begun. Each is counted from the first day, so that the 31st comes back after a short month.
    fn list_periods(&self) -> Vec<Days> {
        let first_of = |number: i32| {
            let months = self.first.month - 1 + number;
            let (year, month) = (self.first.year + months / 12, months % 12 + 1);
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 => 28 + i32::from(is_leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            to_days(Date { year, month, day: self.first.day.min(length) })
        };
        // The sale paid the first month.
        let periods = (1..).map(|number| (first_of(number), first_of(number + 1) - 1));
        periods.take_while(|(from, _)| *from <= to_days(self.today)).collect()
    }

    async fn check(&mut self, subscription: &Subscription) {
        let all = invoices(&self.scene, &self.subscription).await;
        let standing: Vec<&Invoice> = all.iter().filter(|one| one.status() != InvoiceStatus::Voided).collect();
        let periods = self.list_periods();
        let is_period = |invoice: &&&Invoice| periods.iter().any(|(from, _)| *from == days_of(invoice).0);
        let mut billed: Vec<Days> = standing.iter().filter(is_period).map(|one| days_of(one)).collect();
        billed.sort_unstable();
        let context = format!("{:?} {subscription:?}", self.today);
        assert_eq!(billed, periods[..billed.len().min(periods.len())], "each period once, without a gap: {context}");
        let runs = [SubscriptionStatus::Active, SubscriptionStatus::CatchingUp].contains(&subscription.status());
        assert!(!runs || billed.len() == periods.len(), "a period was not billed: {context}");
        for invoice in &standing {
            self.check_cover(subscription, invoice);
        }
        let is_paid = standing.iter().all(|one| one.status() == InvoiceStatus::Paid);
        if let Some((_, until)) = billed.last().filter(|_| is_paid && self.tally.refunds == 0) {
            assert_eq!(subscription.paid_to_date.map(to_days), Some(*until), "{context}");
        }
        if !runs {
            self.awaited = None;
        }
        if let Some((on, total)) = self.awaited
            && let Some(bill) = standing.iter().find(|one| one.period_from == Some(on))
        {
            assert_eq!(bill.total, usd(total), "the preview of a change with the next bill: {context}");
            self.awaited = None;
        }
        self.tally.refused += standing.iter().filter(|one| one.last_refused_on == Some(self.today)).count();
        self.check_books(&all).await;
        self.tally.periods = billed.len();
    }

    /// A bill is paid, or within the days of the schedule; or its plan is at rest.
    fn check_cover(&self, subscription: &Subscription, invoice: &Invoice) {
        let context = format!("{:?}: {invoice:?}", self.today);
        match invoice.status() {
            InvoiceStatus::Paid | InvoiceStatus::Refunded => {}
            InvoiceStatus::Failed => {
                let first = to_days(invoice.first_refused_on.unwrap());
                assert!(to_days(self.today) < first + GRACE, "not tried on its last day: {context}");
            }
            InvoiceStatus::Delinquent => {
                use SubscriptionStatus::{Cancelled, Precancel, Suspended};
                let is_at_rest = [Suspended, Precancel, Cancelled].contains(&subscription.status());
                assert!(is_at_rest, "the plan runs and is not paid: {context}");
            }
            other => panic!("{other:?} after a day's work: {context}"),
        }
    }

    /// The invoices say what the vendor moved, and the vendor moved nothing twice.
    async fn check_books(&self, all: &[Invoice]) {
        let ledger = self.scene.ledger().await;
        assert!(ledger.iter().all(|entry| entry.movements <= 1), "{ledger:?}");
        let amount = |money: Option<Money>| money.map_or(0, |money| money.amount);
        let paid: i64 = all.iter().map(|one| amount(one.paid_amount) - amount(one.refunded_amount)).sum();
        assert_eq!(paid, self.scene.moved().await, "{:?}", self.today);
    }

    /// Does one thing, or nothing.
    async fn act(&mut self, subscription: &Subscription) {
        match self.random.next_below(100) {
            0..=17 => self.change_now(subscription).await,
            18..=25 => self.change_later(subscription).await,
            26..=39 => self.switch_card().await,
            40..=45 => {
                let amount = 100 + self.amount_below(2_000);
                give(&self.scene, usd(amount), None).await;
                self.awaited = None;
            }
            46..=55 => self.refund().await,
            // A new card collects what is open.
            56..=75 if subscription.status() == SubscriptionStatus::Suspended => {
                self.scene.method(card(APPROVES)).await;
            }
            _ => {}
        }
    }

    fn amount_below(&mut self, bound: usize) -> i64 {
        i64::try_from(self.random.next_below(bound)).unwrap()
    }

    /// Changes the plan today, as it was shown; or nothing changes.
    async fn change_now(&mut self, subscription: &Subscription) {
        let Some((from, until)) = self.list_periods().pop() else { return };
        // On the first day of a period the bill would look like that of the period, and a lost answer leaves no outcome.
        let is_first = from == to_days(self.today);
        if is_first || self.charged == SILENT || subscription.status() != SubscriptionStatus::Active {
            return;
        }
        let price = 1_000 + self.amount_below(5_000);
        let mut wanted = change(&self.subscription, price, ChangeTime::Now);
        let shown = preview(&self.scene, ALICE, &wanted).await;
        if let Ok(shown) = &shown {
            wanted.expected_total = shown.total;
        }
        let refusal = shown.as_ref().err().map(|error| error.reason().to_owned());
        let key = format!("change {}", self.tally.days);
        let made = make(&self.scene, &key, wanted).await;
        let reason = made.as_ref().err().map(|error| error.reason().to_owned()).unwrap_or_default();
        let after = get(&self.scene, &self.subscription).await;
        let (Ok(shown), Ok(changed)) = (shown, made) else {
            let expected = refusal.as_deref().unwrap_or("PAYMENT_DECLINED");
            // The card may rest by now.
            let is_known = reason == expected || reason == "SUBSCRIPTION_NOT_CHANGEABLE";
            assert!(is_known, "{reason} in the place of {expected} on {:?}", self.today);
            assert_eq!((&after.items, after.next_bill_on), (&subscription.items, subscription.next_bill_on));
            self.tally.declined += 1;
            return;
        };
        let raised = invoices(&self.scene, &self.subscription).await.pop().unwrap();
        let expected = shown.invoice.unwrap();
        assert_eq!((lines(&raised), raised.total), (lines(&expected), expected.total), "{:?}", self.today);
        assert_eq!(changed.next_bill_on, shown.next_bill_on);
        let of_plan = raised.items.iter().filter(|item| item.r#type() == ItemType::Subscription);
        let cost: i64 = of_plan.map(|item| item.amount.unwrap().amount).sum();
        let (left, days) = (until - to_days(self.today) + 1, until - from + 1);
        // Half a cent is rounded up.
        assert_eq!(cost, (2 * price * left + days) / (2 * days), "{left} of {days} days: {raised:?}");
        self.awaited = None;
        self.tally.changes += 1;
    }

    /// Changes the plan with the next bill, which is as it was shown unless something else changes it.
    async fn change_later(&mut self, subscription: &Subscription) {
        if subscription.status() != SubscriptionStatus::Active {
            return;
        }
        let price = 1_000 + self.amount_below(5_000);
        let wanted = change(&self.subscription, price, ChangeTime::NextBillingDay);
        let shown = preview(&self.scene, ALICE, &wanted).await;
        let key = format!("later {}", self.tally.days);
        let made = make(&self.scene, &key, wanted).await;
        assert_eq!(shown.is_ok(), made.is_ok(), "{shown:?} {made:?}");
        self.awaited = None;
        let open = credits(&self.scene, ALICE).await.unwrap();
        if let Ok(shown) = shown
            && open.iter().all(|credit| credit.status() != CreditStatus::Open)
        {
            self.awaited = shown.effective_on.zip(shown.total.map(|total| total.amount));
        }
        self.tally.changes += 1;
    }

    async fn switch_card(&mut self) {
        self.charged = self.random.next_below(TOKENS.len());
        let request = UpdateSubscriptionPaymentMethodRequest {
            identity_id: "alice".into(),
            subscription_id: self.subscription.clone(),
            payment_method_id: self.cards[self.charged].clone(),
        };
        let named = self.scene.subscriptions().update_subscription_payment_method(request_by(ALICE, request)).await;
        into_answer(named).unwrap();
    }

    /// Gives a part of the newest bill back.
    async fn refund(&mut self) {
        let mut all = invoices(&self.scene, &self.subscription).await.into_iter();
        let newest = all.rfind(|one| one.status() == InvoiceStatus::Paid);
        let newest = newest.filter(|one| one.paid_amount.is_some_and(|paid| paid.amount > 1_000));
        // A refund to the silent card has no answer.
        let is_silent = |one: &Invoice| one.payments.iter().any(|paid| paid.payment_method_id == self.cards[SILENT]);
        let is_whole = |one: &Invoice| one.refunded_amount.is_none_or(|back| back.amount == 0);
        let Some(invoice) = newest.filter(|one| is_whole(one) && !is_silent(one)) else { return };
        let request = RefundInvoiceRequest {
            identity_id: "alice".into(),
            invoice_id: invoice.id,
            amount: usd(100),
            ..RefundInvoiceRequest::default()
        };
        let key = format!("refund {}", self.tally.days);
        let refunded = self.scene.invoices().refund_invoice(request_with_key(STAFF, &key, request)).await;
        assert_eq!(into_answer(refunded).unwrap().refunded_amount, usd(100));
        self.tally.refunds += 1;
    }

    /// Nothing is left to do, and workers that begin anew change nothing.
    async fn end(mut self) -> Tally {
        let mut left = usize::MAX;
        for wait in WAITS {
            self.scene.clock.move_forward(Duration::from_secs(wait));
            left = run(&self.scene, &mut self.handled, &format!("end {wait}")).await;
        }
        assert_eq!(left, 0);
        let before = invoices(&self.scene, &self.subscription).await;
        assert_eq!(self.scene.replay().await, 0);
        assert_eq!(invoices(&self.scene, &self.subscription).await, before);
        self.check_books(&before).await;
        self.tally
    }
}

/// The first and the last day that an invoice bills.
fn days_of(invoice: &Invoice) -> Days {
    (to_days(invoice.period_from.unwrap()), to_days(invoice.period_until.unwrap()))
}

/// Runs every timer, and every worker over the entries that it has not handled, in rounds until nothing is new: one worker's
/// writes are another one's entries. Answers the failures of the last round.
async fn run(scene: &Scene, handled: &mut BTreeMap<&'static str, i64>, occasion: &str) -> usize {
    let mut left = 0;
    for round in 0..ROUNDS {
        left = 0;
        let before = handled.clone();
        for worker in scene.workers() {
            let JournalFeed::Journal { path, .. } = worker.feed() else {
                left += usize::from(scene.run_timer(worker.name(), &format!("{occasion} {round}")).await.is_err());
                continue;
            };
            if !path.starts_with("/pavise.billing.") {
                continue;
            }
            let last = handled.entry(worker.name()).or_default();
            for entry in
                scene.read_journal(path).await.into_iter().filter(|entry| entry.clock > *last).collect::<Vec<_>>()
            {
                if scene.handle_entry(worker.name(), &entry).await.is_err() {
                    left += 1;
                    break;
                }
                *last = entry.clock;
            }
        }
        // A timer may write what an earlier worker of the same round reads.
        if round >= 2 && *handled == before {
            break;
        }
    }
    left
}
