//! Random histories of an invoice against an oracle that computes by itself.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use prost::Message as _;

use super::support::items::add_item;
use super::support::payments::{
    Outcome, add_payment, add_refund, mark_paid, record_payment, record_refund, reverse_payment,
};
use super::support::statement::build_statement;
use super::support::sums::{Sums, is_approved, is_in_progress, write_sums};
use crate::contract::invoice_calls as calls;
use crate::contract::v1::{
    DeclineReason, ForgiveInvoiceRequest, Invoice, InvoiceItem, InvoiceItemEvent, InvoicePayment, InvoiceRefund,
    InvoiceStatus, ItemType, RemoveInvoiceItemRequest, StatementPart, TransactionStatus, VoidInvoiceRequest,
};
use crate::shared::money;
use pavise_kernel::common::v1::Money;
use pavise_kernel::table::Method;
use pavise_kernel::time::{Micros, from_days, to_timestamp};
use pavise_kernel::{Aggregate, Common, Edit, EditContext};

/// A change of an invoice. The numbers choose among its items, payments and refunds.
#[derive(Debug, Clone)]
enum InvoiceChange {
    Add(ItemType, i64),
    Remove(usize),
    Pay(Option<i64>),
    EndPayment(usize, bool),
    Refund(usize, i64),
    EndRefund(usize, bool),
    Reverse(usize),
    Forgive,
    Void,
    Fail,
    Delinquent,
}

fn step() -> impl Strategy<Value = InvoiceChange> {
    let kinds = proptest::sample::select(vec![
        ItemType::Subscription,
        ItemType::Order,
        ItemType::Discount,
        ItemType::Transaction,
        ItemType::Tax,
    ]);
    prop_oneof![
        4 => (kinds, -300_i64..600).prop_map(|(kind, amount)| InvoiceChange::Add(kind, amount)),
        2 => (0_usize..8).prop_map(InvoiceChange::Remove),
        5 => proptest::option::of(-5_i64..900).prop_map(InvoiceChange::Pay),
        6 => (0_usize..8, proptest::bool::weighted(0.8)).prop_map(|(at, ok)| InvoiceChange::EndPayment(at, ok)),
        4 => (0_usize..8, -5_i64..700).prop_map(|(at, amount)| InvoiceChange::Refund(at, amount)),
        4 => (0_usize..8, proptest::bool::weighted(0.7)).prop_map(|(at, ok)| InvoiceChange::EndRefund(at, ok)),
        2 => (0_usize..8).prop_map(InvoiceChange::Reverse),
        1 => Just(InvoiceChange::Forgive),
        1 => Just(InvoiceChange::Void),
        1 => Just(InvoiceChange::Fail),
        1 => Just(InvoiceChange::Delinquent),
    ]
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Open,
    Yes,
    No,
}

/// Plain lists that are summed up again each time.
#[derive(Debug, Clone)]
struct Oracle {
    status: &'static str,
    items: Vec<(String, i64)>,
    payments: Vec<(i64, End)>,
    refunds: Vec<(usize, i64, End)>,
}

impl Oracle {
    fn total(&self) -> i64 {
        self.items.iter().map(|item| item.1).sum()
    }
    fn paid(&self, end: End) -> i64 {
        self.payments.iter().filter(|one| one.1 == end).map(|one| one.0).sum()
    }
    fn back(&self, end: End) -> i64 {
        self.refunds.iter().filter(|one| one.2 == end).map(|one| one.1).sum()
    }
    fn kept(&self) -> i64 {
        self.paid(End::Yes) - self.back(End::Yes) + self.paid(End::Open)
    }
    fn quiet(&self) -> bool {
        self.paid(End::Open) == 0 && self.back(End::Open) == 0
    }
    fn left_of(&self, payment: usize) -> i64 {
        match self.payments.get(payment) {
            Some((amount, End::Yes)) => {
                let back: i64 =
                    self.refunds.iter().filter(|one| one.0 == payment && one.2 != End::No).map(|one| one.1).sum();
                amount - back
            }
            _ => 0,
        }
    }

    /// Applies a step if it is allowed, and answers whether it is.
    fn apply(&mut self, step: &InvoiceChange, next_id: &str) -> bool {
        let is = |statuses: &[&str]| statuses.contains(&self.status);
        let before = self.clone();
        let allowed = match step {
            InvoiceChange::Add(kind, amount) => {
                let side = match kind {
                    ItemType::Discount => *amount <= 0,
                    ItemType::Transaction => true,
                    _ => *amount >= 0,
                };
                let allowed = is(&["ACTIVE", "FAILED", "DELINQUENT"]) && side;
                self.items.push((next_id.to_owned(), *amount));
                allowed && self.total() >= self.kept()
            }
            InvoiceChange::Remove(at) => {
                let allowed = is(&["ACTIVE", "FAILED", "DELINQUENT"]) && *at < self.items.len();
                if allowed {
                    self.items.remove(*at);
                }
                allowed && self.total() >= self.kept()
            }
            InvoiceChange::Pay(amount) => {
                let open = self.total() - self.kept();
                let amount = amount.unwrap_or(open);
                let allowed = is(&["ACTIVE", "FAILED", "DELINQUENT", "PARTIALLY_FUNDED"]);
                let allowed = allowed && amount >= 1 && amount <= open && self.back(End::Open) == 0;
                self.payments.push((amount, End::Open));
                allowed
            }
            InvoiceChange::EndPayment(at, approved) => self.end_payment(*at, *approved),
            InvoiceChange::Refund(payment, amount) => {
                let allowed = is(&["PAID", "PARTIALLY_FUNDED"]) && self.paid(End::Open) == 0;
                let allowed = allowed && *amount >= 1 && *amount <= self.left_of(*payment);
                self.refunds.push((*payment, *amount, End::Open));
                allowed
            }
            InvoiceChange::EndRefund(at, approved) => self.end_refund(*at, *approved),
            InvoiceChange::Reverse(at) => self.reverse(*at),
            InvoiceChange::Forgive => {
                self.becomes("FORGIVEN", is(&["ACTIVE", "FAILED", "DELINQUENT", "PARTIALLY_FUNDED"]) && self.quiet())
            }
            InvoiceChange::Void => {
                self.becomes("VOIDED", is(&["ACTIVE", "FAILED"]) && self.quiet() && self.paid(End::Yes) == 0)
            }
            InvoiceChange::Fail => self.becomes("FAILED", is(&["ACTIVE", "PARTIALLY_FUNDED", "DELINQUENT"])),
            InvoiceChange::Delinquent => self.becomes("DELINQUENT", is(&["ACTIVE", "PARTIALLY_FUNDED", "FAILED"])),
        };
        if !allowed {
            *self = before;
        }
        allowed
    }

    fn becomes(&mut self, status: &'static str, allowed: bool) -> bool {
        self.status = status;
        allowed
    }

    fn end_payment(&mut self, at: usize, approved: bool) -> bool {
        match self.payments.get_mut(at) {
            Some(payment) if payment.1 == End::Open => payment.1 = if approved { End::Yes } else { End::No },
            _ => return false,
        }
        if approved {
            let covered = self.paid(End::Yes) - self.back(End::Yes) >= self.total();
            self.status = if covered { "PAID" } else { "PARTIALLY_FUNDED" };
        }
        true
    }

    fn reverse(&mut self, at: usize) -> bool {
        let left = self.left_of(at);
        let quiet = self.quiet();
        let Some(payment) = self.payments.get_mut(at).filter(|_| quiet && left > 0) else { return false };
        if payment.0 == left {
            payment.1 = End::No;
        } else {
            payment.0 -= left;
            self.payments.push((left, End::No));
        }
        if ["PAID", "PARTIALLY_FUNDED"].contains(&self.status) {
            self.status = "FAILED";
        }
        true
    }

    fn end_refund(&mut self, at: usize, approved: bool) -> bool {
        match self.refunds.get_mut(at) {
            Some(refund) if refund.2 == End::Open => refund.2 = if approved { End::Yes } else { End::No },
            _ => return false,
        }
        if approved && self.back(End::Yes) == self.paid(End::Yes) {
            self.status = "REFUNDED";
        }
        true
    }
}

/// Applies a step as the calls do: the contract checks the status, then the edit runs, all or nothing.
fn apply(invoice: &mut Invoice, step: &InvoiceChange, next_id: &str) -> bool {
    let allowed = |method: &Method| method.from.contains(&invoice.head().status);
    let outcome = |approved: bool, id: &str| {
        if approved { Outcome::from_approval(&format!("t-{id}")) } else { Outcome::not_submitted() }
    };
    let edit_at = EditContext::at(0);
    let money = |amount| Some(Money { currency: 1, amount });
    let mut after = invoice.clone();
    let done = match step {
        InvoiceChange::Add(kind, amount) => {
            let item = InvoiceItem {
                id: next_id.to_owned(),
                r#type: (*kind).into(),
                amount: money(*amount),
                ..InvoiceItem::default()
            };
            allowed(&calls::ADD_INVOICE_ITEM) && add_item(&mut after, "item", item).is_ok()
        }
        InvoiceChange::Remove(at) => {
            let id = invoice.items.get(*at).map(|item| item.id.clone()).unwrap_or_default();
            allowed(&calls::REMOVE_INVOICE_ITEM)
                && after.edit(&RemoveInvoiceItemRequest { item_id: id, ..Default::default() }, &edit_at).is_ok()
        }
        InvoiceChange::Pay(amount) => {
            let amount = amount.unwrap_or_else(|| Sums::of(invoice).payable_amount());
            let payment = InvoicePayment { id: next_id.to_owned(), amount: money(amount), ..InvoicePayment::default() };
            allowed(&calls::PAY_INVOICE) && add_payment(&mut after, payment).is_ok()
        }
        InvoiceChange::EndPayment(at, approved) => {
            let id = invoice.payments.get(*at).map(|payment| payment.id.clone()).unwrap_or_default();
            record_payment(&mut after, &id, &outcome(*approved, &id)).is_ok() && after != *invoice
        }
        InvoiceChange::Refund(at, amount) => {
            let payment_id = invoice.payments.get(*at).map(|payment| payment.id.clone()).unwrap_or_default();
            let refund = InvoiceRefund {
                id: next_id.to_owned(),
                amount: money(*amount),
                payment_id,
                ..InvoiceRefund::default()
            };
            allowed(&calls::REFUND_INVOICE) && add_refund(&mut after, refund).is_ok()
        }
        InvoiceChange::EndRefund(at, approved) => {
            let id = invoice.refunds.get(*at).map(|refund| refund.id.clone()).unwrap_or_default();
            record_refund(&mut after, &id, &outcome(*approved, &id)).is_ok() && after != *invoice
        }
        InvoiceChange::Reverse(at) => {
            let payment = invoice.payments.get(*at).filter(|payment| is_approved(payment.status()));
            let id = payment.map(|payment| payment.transaction_id.clone()).unwrap_or_default();
            reverse_payment(&mut after, &id, DeclineReason::Returned, to_timestamp(0)).is_ok() && after != *invoice
        }
        InvoiceChange::Forgive => {
            after.set_status(InvoiceStatus::Forgiven);
            allowed(&calls::FORGIVE_INVOICE) && after.edit(&ForgiveInvoiceRequest::default(), &edit_at).is_ok()
        }
        InvoiceChange::Void => {
            after.set_status(InvoiceStatus::Voided);
            allowed(&calls::VOID_INVOICE) && after.edit(&VoidInvoiceRequest::default(), &edit_at).is_ok()
        }
        InvoiceChange::Fail => {
            after.set_status(InvoiceStatus::Failed);
            allowed(&calls::FAIL_INVOICE)
        }
        InvoiceChange::Delinquent => {
            after.set_status(InvoiceStatus::Delinquent);
            allowed(&calls::MAKE_INVOICE_DELINQUENT)
        }
    };
    if done {
        *invoice = after;
    }
    done
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn every_history_ends_with_the_sums_of_the_oracle(steps in proptest::collection::vec(step(), 1..60)) {
        let mut invoice = Invoice { currency: 1, status: InvoiceStatus::Active.into(), ..Invoice::default() };
        prop_assert!(write_sums(&mut invoice).is_ok());
        let mut oracle = Oracle { status: "ACTIVE", items: Vec::new(), payments: Vec::new(), refunds: Vec::new() };
        for (at, step) in steps.iter().enumerate() {
            let id = format!("id-{at}");
            let expected = oracle.apply(step, &id);
            prop_assert_eq!(apply(&mut invoice, step, &id), expected, "{:?} of {:?}", step, oracle);
            prop_assert!(Aggregate::check(&invoice).is_ok(), "{:?}", Aggregate::check(&invoice));
            prop_assert_eq!(invoice.head().status, oracle.status);
            let minor = |money: &Option<Money>| money::to_minor_units(money.as_ref());
            prop_assert_eq!(minor(&invoice.total), oracle.total());
            prop_assert_eq!(minor(&invoice.paid_amount), oracle.paid(End::Yes));
            prop_assert_eq!(minor(&invoice.refunded_amount), oracle.back(End::Yes));
            prop_assert!(oracle.kept() <= oracle.total() && oracle.back(End::Yes) + oracle.back(End::Open) <= oracle.paid(End::Yes));
            prop_assert_eq!(is_in_progress(&invoice), !oracle.quiet());
        }
    }
}

/// The first day of the histories.
const FIRST_DAY: i64 = 20_000;
const HALF_DAY: Micros = 43_200_000_000;

/// Gives what a step made or decided the time of the step.
fn stamp(invoice: &mut Invoice, step: &InvoiceChange, now: Micros) {
    let at = Some(to_timestamp(now));
    for item in invoice.items.iter_mut().filter(|item| item.history.is_empty()) {
        item.history.push(InvoiceItemEvent { at, ..InvoiceItemEvent::default() });
    }
    for payment in invoice.payments.iter_mut().filter(|payment| is_approved(payment.status()) && payment.at.is_none()) {
        payment.at = at;
    }
    for refund in invoice.refunds.iter_mut().filter(|refund| is_approved(refund.status()) && refund.at.is_none()) {
        refund.at = at;
    }
    for payment in invoice.payments.iter_mut().filter(|payment| payment.reversed_at == Some(to_timestamp(0))) {
        payment.reversed_at = at;
    }
    if matches!(step, InvoiceChange::Forgive | InvoiceChange::Void) {
        invoice.closed_at = at;
    }
}

/// Opening, charges, payments, credits, refunds, reversals and closing.
fn sums_of(part: Option<&StatementPart>) -> [i64; 7] {
    let Some(part) = part else { return [0; 7] };
    [part.opening, part.charges, part.payments, part.credits, part.refunds, part.reversals, part.closing]
        .map(|money| money::to_minor_units(money.as_ref()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn a_statement_closes_with_what_is_open(steps in proptest::collection::vec(step(), 1..60), cut in 0_i64..30) {
        let mut invoice = Invoice { currency: 1, status: InvoiceStatus::Active.into(), ..Invoice::default() };
        prop_assert!(write_sums(&mut invoice).is_ok());
        let mut open_on: BTreeMap<i64, i64> = BTreeMap::new();
        for (step, half) in steps.iter().zip(0_i64..) {
            // An item that is removed leaves no entry, so that earlier statements change.
            if matches!(step, InvoiceChange::Remove(_)) {
                continue;
            }
            if apply(&mut invoice, step, &format!("id-{half}")) {
                stamp(&mut invoice, step, (FIRST_DAY * 2 + half) * HALF_DAY);
            }
            open_on.insert(FIRST_DAY + half / 2, money::to_minor_units(invoice.open_amount.as_ref()));
        }
        let invoices = [invoice];
        let within = |from: i64, to: i64| {
            let statement = build_statement(&invoices, from_days(from), from_days(to));
            sums_of(statement.parts.first())
        };
        for (day, open) in &open_on {
            prop_assert_eq!(within(FIRST_DAY - 9, *day)[6], *open, "on {} of {:?}", day, steps);
        }
        let (first, last) = (FIRST_DAY - 1, FIRST_DAY + 31);
        let (whole, before, after) = (within(first, last), within(first, FIRST_DAY + cut), within(FIRST_DAY + cut + 1, last));
        for [opening, charges, payments, credits, refunds, reversals, closing] in [whole, before, after] {
            prop_assert_eq!(opening + charges - payments - credits + refunds + reversals, closing);
        }
        prop_assert_eq!((before[6], whole[0], whole[6]), (after[0], before[0], after[6]));
        for at in 1..6 {
            prop_assert_eq!(before[at] + after[at], whole[at], "{} of {:?}", at, steps);
        }
    }
}

/// Walks all states of small invoices. The statuses that the outcomes lead to are those that the contract declares for
/// the calls that record them.
#[test]
fn outcomes_lead_where_the_contract_says() {
    let small = [
        vec![
            InvoiceChange::Pay(Some(1)),
            InvoiceChange::Pay(None),
            InvoiceChange::Remove(0),
            InvoiceChange::Forgive,
            InvoiceChange::Void,
            InvoiceChange::Fail,
            InvoiceChange::Delinquent,
        ],
        (0..2).flat_map(|at| [InvoiceChange::EndPayment(at, true), InvoiceChange::EndPayment(at, false)]).collect(),
        (0..2).flat_map(|at| [InvoiceChange::EndRefund(at, true), InvoiceChange::EndRefund(at, false)]).collect(),
        (0..2).flat_map(|at| [InvoiceChange::Refund(at, 1), InvoiceChange::Refund(at, 2)]).collect(),
    ]
    .concat();
    let mut start = Invoice { currency: 1, status: InvoiceStatus::Active.into(), ..Invoice::default() };
    assert!(write_sums(&mut start).is_ok());
    for id in ["a", "b"] {
        assert!(apply(&mut start, &InvoiceChange::Add(ItemType::Order, 1), id));
    }
    let (mut paid, mut refunded, mut by_schedule) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let (mut seen, mut ahead) = (BTreeSet::from([start.encode_to_vec()]), vec![start]);
    while let Some(before) = ahead.pop() {
        for step in &small {
            let id = format!("id-{}", before.payments.len() + before.refunds.len());
            let mut after = before.clone();
            let long = |invoice: &Invoice| invoice.payments.len() > 2 || invoice.refunds.len() > 2;
            if !apply(&mut after, step, &id) || long(&after) {
                continue;
            }
            let pair = (before.head().status, after.head().status);
            if let InvoiceChange::EndPayment(at, false) = step {
                by_schedule.extend(refused_by_schedule(&before, *at));
            }
            match step {
                InvoiceChange::EndPayment(..) if pair.0 != pair.1 => drop(paid.insert(pair)),
                InvoiceChange::EndRefund(..) if pair.0 != pair.1 => drop(refunded.insert(pair)),
                _ => {}
            }
            if seen.insert(after.encode_to_vec()) {
                ahead.push(after);
            }
        }
    }
    println!("{} invoices", seen.len());
    let pairs = |method: &Method| -> BTreeSet<_> {
        let all = method.from.iter().flat_map(|from| method.to.iter().map(move |to| (*from, *to)));
        let all = if method.steps.is_empty() { all.collect() } else { method.steps.to_vec() };
        all.into_iter().filter(|(from, to)| from != to).collect()
    };
    assert_eq!(paid, pairs(&calls::PAY_INVOICE));
    assert_eq!(refunded, pairs(&calls::REFUND_INVOICE));
    let collected = &paid | &by_schedule;
    assert_eq!(collected, pairs(&calls::COLLECT_INVOICE));
    assert_eq!(&collected | &refunded, pairs(&calls::SETTLE_INVOICE));
}

/// The changes of status that a refusal of the payment makes if the schedule asked for it: with another day left, and
/// without.
fn refused_by_schedule(before: &Invoice, at: usize) -> BTreeSet<(&'static str, &'static str)> {
    let outcomes = [vec![3], Vec::new()].into_iter().filter_map(|retry_schedule| {
        let mut after = Invoice { retry_schedule, ..before.clone() };
        let payment = after.payments.get_mut(at)?;
        payment.by_schedule = true;
        payment.at = Some(to_timestamp(0));
        let id = payment.id.clone();
        record_payment(&mut after, &id, &Outcome::not_submitted()).ok()?;
        Some((before.head().status, after.head().status))
    });
    outcomes.filter(|(from, to)| from != to).collect()
}

#[test]
fn only_an_invoice_with_nothing_open_is_marked_paid() {
    let mut invoice = Invoice { currency: 1, status: InvoiceStatus::Active.into(), ..Invoice::default() };
    assert!(mark_paid(&mut invoice.clone()).is_ok());
    assert!(apply(&mut invoice, &InvoiceChange::Add(ItemType::Order, 1), "item"));
    assert!(
        mark_paid(&mut invoice).is_err_and(|refused| refused.is(Common::Contention)),
        "an item was added meanwhile"
    );
    assert!(apply(&mut invoice, &InvoiceChange::Pay(None), "payment"));
    assert!(mark_paid(&mut invoice).is_err(), "a payment is in progress");
    assert_eq!(invoice.status(), InvoiceStatus::Active);
}

#[test]
fn an_impossible_state_is_refused() {
    let sound = || {
        let mut invoice = Invoice { currency: 1, status: InvoiceStatus::Active.into(), ..Invoice::default() };
        let item = InvoiceItem {
            id: "i".into(),
            r#type: ItemType::Order.into(),
            amount: Some(Money { currency: 1, amount: 100 }),
            ..InvoiceItem::default()
        };
        add_item(&mut invoice, "item", item).map(|()| invoice)
    };
    let broken = |breaks: fn(&mut Invoice)| {
        sound().map(|mut invoice| {
            breaks(&mut invoice);
            Aggregate::check(&invoice).is_err()
        })
    };
    assert!(sound().is_ok_and(|invoice| Aggregate::check(&invoice).is_ok()));
    assert!(broken(|invoice| invoice.total = Some(Money { currency: 1, amount: 99 })).is_ok_and(|refused| refused));
    assert!(broken(|invoice| invoice.status = InvoiceStatus::Paid.into()).is_ok_and(|refused| refused));
    assert!(
        broken(|invoice| invoice
            .items
            .iter_mut()
            .for_each(|item| item.amount = Some(Money { currency: 2, amount: 100 })))
        .is_ok_and(|refused| refused)
    );
    assert!(
        broken(|invoice| {
            let amount = Some(Money { currency: 1, amount: 101 });
            invoice.payments.push(InvoicePayment {
                id: "p".into(),
                amount,
                status: TransactionStatus::Approved.into(),
                ..InvoicePayment::default()
            });
            invoice.paid_amount = amount;
        })
        .is_ok_and(|refused| refused)
    );
    assert!(
        broken(|invoice| {
            invoice.payments.push(InvoicePayment {
                amount: Some(Money { currency: 1, amount: 1 }),
                status: TransactionStatus::Created.into(),
                ..InvoicePayment::default()
            });
            invoice.status = InvoiceStatus::Voided.into();
        })
        .is_ok_and(|refused| refused)
    );
}
