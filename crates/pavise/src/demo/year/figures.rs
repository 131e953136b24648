//! The figures of the months, and the books: what invoices say of money beside what the vendor moved.
#![expect(clippy::indexing_slicing, reason = "indexing a JSON value answers null where there is nothing")]

use std::collections::BTreeMap;

use pavise_kernel::common::v1::Date;
use pavise_kernel::range::SortKey as _;
use serde::Serialize;
use serde_json::{Value, json};

use super::desk::{Desk, parse_number, text};
use super::members::Member;

/// The figures of a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Month {
    /// Counts from 1.
    pub number: u32,
    /// Its first day.
    pub from: String,
    /// Its last day.
    pub until: String,
    /// The periods that were billed.
    pub renewals: usize,
    /// The invoices that were refused for the first time.
    pub declines: usize,
    /// The refused invoices that were paid.
    pub recoveries: usize,
    /// The subscriptions that ended.
    pub ends: usize,
    /// The payments less the refunds that were begun, per currency, in minor units.
    pub revenue: BTreeMap<String, i64>,
}

/// The same money as two sides count it, in minor units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Sums {
    /// Paid less refunded, as the invoices say.
    pub invoices: i64,
    /// Charged less refunded, as the ledger of the test vendor says.
    pub vendor: i64,
}

/// The books of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Books {
    /// The sums of the run, per currency.
    pub sums: BTreeMap<String, Sums>,
    /// The entries that workers could not handle.
    pub left: i64,
}

/// The records of a server.
pub(super) struct Records {
    invoices: Vec<Value>,
    subscriptions: Vec<Value>,
    ledger: Vec<Value>,
}

impl Records {
    /// Reads all invoices and movements of the server, and the subscriptions of the members of the run.
    pub(super) async fn read(desk: &Desk, members: &[Member]) -> anyhow::Result<Self> {
        let all = json!({});
        let mut subscriptions = Vec::new();
        for member in members {
            subscriptions.push(member.read_subscription(desk).await?);
        }
        Ok(Self {
            invoices: desk.list("invoices.ListAllInvoices", "invoices", &all).await?,
            subscriptions,
            ledger: desk.list("test_vendor.ListTestVendorEntries", "entries", &all).await?,
        })
    }

    /// The money of both sides, per currency.
    pub(super) fn sums(&self) -> anyhow::Result<BTreeMap<String, Sums>> {
        let mut sums: BTreeMap<String, Sums> = BTreeMap::new();
        for invoice in &self.invoices {
            let [paid, refunded] = ["paidAmount", "refundedAmount"].map(|name| parse_number(&invoice[name]["amount"]));
            let of_currency = sums.entry(text(&invoice["currency"]).to_owned()).or_default();
            of_currency.invoices += paid? - refunded?;
        }
        for entry in &self.ledger {
            let moved = parse_number(&entry["amount"]["amount"])? * parse_number(&entry["movements"])?;
            let moved = if entry["type"] == "REFUND" { -moved } else { moved };
            if moved != 0 {
                sums.entry(text(&entry["amount"]["currency"]).to_owned()).or_default().vendor += moved;
            }
        }
        Ok(sums)
    }

    /// The figures of the days from `from` to `until`.
    pub(super) fn month(&self, number: u32, from: Date, until: Date) -> anyhow::Result<Month> {
        let (from, until) = (from.key(), until.key());
        // Days and instants begin alike.
        let is_within =
            |at: &Value| text(at).get(..10).is_some_and(|day| (from.as_str()..=until.as_str()).contains(&day));
        let mut revenue: BTreeMap<String, i64> = BTreeMap::new();
        for invoice in &self.invoices {
            for (attempts, sign) in [("payments", 1), ("refunds", -1)] {
                let approved = list(invoice, attempts).filter(|one| one["status"] == "APPROVED");
                for one in approved.filter(|one| is_within(&one["at"])) {
                    let amount = parse_number(&one["amount"]["amount"])?;
                    *revenue.entry(text(&invoice["currency"]).to_owned()).or_default() += sign * amount;
                }
            }
        }
        let count =
            |is_meant: &dyn Fn(&Value) -> bool| self.invoices.iter().filter(|invoice| is_meant(invoice)).count();
        let is_renewal = |invoice: &Value| !text(&invoice["billingKey"]).is_empty() && is_within(&invoice["createdAt"]);
        let is_recovery = |invoice: &Value| {
            let last = list(invoice, "payments").filter(|one| one["status"] == "APPROVED").last();
            let was_refused = !text(&invoice["firstRefusedOn"]).is_empty() && invoice["status"] == "PAID";
            was_refused && last.is_some_and(|payment| is_within(&payment["at"]))
        };
        let is_end = |one: &&Value| one["status"] == "CANCELLED" && is_within(&one["cancelledOn"]);
        Ok(Month {
            number,
            renewals: count(&is_renewal),
            declines: count(&|invoice| is_within(&invoice["firstRefusedOn"])),
            recoveries: count(&is_recovery),
            ends: self.subscriptions.iter().filter(is_end).count(),
            revenue,
            from,
            until,
        })
    }
}

fn list<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    value[name].as_array().into_iter().flatten()
}

impl Books {
    /// The books of a run, from the sums before and after it.
    pub(super) fn between(before: &BTreeMap<String, Sums>, after: &BTreeMap<String, Sums>, left: i64) -> Self {
        let moved = |(currency, after): (&String, &Sums)| {
            let before = before.get(currency).copied().unwrap_or_default();
            let sums = Sums { invoices: after.invoices - before.invoices, vendor: after.vendor - before.vendor };
            (currency.clone(), sums)
        };
        Self { sums: after.iter().map(moved).collect(), left }
    }

    /// Names their problems, in words.
    #[must_use]
    pub fn list_problems(&self) -> Vec<String> {
        let differing = self.sums.iter().filter(|(_, sums)| sums.invoices != sums.vendor);
        let mut problems: Vec<String> = differing
            .map(|(currency, sums)| {
                let (invoices, vendor) = (write_amount(sums.invoices), write_amount(sums.vendor));
                format!("the invoices say {invoices} {currency}, and the vendor moved {vendor} {currency}")
            })
            .collect();
        if self.left > 0 {
            problems.push(format!("{} entries could not be handled: pavise workers parked names them", self.left));
        }
        problems
    }
}

/// An amount in minor units as people write it: `29.95`.
pub(in super::super) fn write_amount(amount: i64) -> String {
    let sign = if amount < 0 { "-" } else { "" };
    let (whole, cents) = (amount.unsigned_abs() / 100, amount.unsigned_abs() % 100);
    format!("{sign}{whole}.{cents:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const JANUARY: Date = Date { year: 2026, month: 1, day: 1 };
    const LAST: Date = Date { year: 2026, month: 1, day: 31 };

    fn money(amount: i64) -> Value {
        json!({"currency": "USD", "amount": amount.to_string()})
    }

    /// A payment of January that was refused at first, and a part of it given back in February.
    fn records() -> Records {
        let payment = |status: &str, at: &str| json!({"status": status, "at": at, "amount": money(2995)});
        let invoice = json!({
            "currency": "USD", "status": "PAID", "billingKey": "key", "createdAt": "2026-01-01T09:00:00Z",
            "firstRefusedOn": "2026-01-01", "paidAmount": money(2995), "refundedAmount": money(995),
            "payments": [payment("DECLINED", "2026-01-01T09:00:00Z"), payment("APPROVED", "2026-01-31T23:59:59Z")],
            "refunds": [{"status": "APPROVED", "at": "2026-02-01T00:00:00Z", "amount": money(995)}],
        });
        let entry = |kind: &str, amount: i64, movements: i32| json!({"type": kind, "amount": money(amount), "movements": movements});
        Records {
            invoices: vec![invoice],
            subscriptions: vec![
                json!({"status": "CANCELLED", "cancelledOn": "2026-02-01"}),
                json!({"status": "ACTIVE"}),
            ],
            ledger: vec![entry("SALE", 2995, 0), entry("SALE", 2995, 1), entry("REFUND", 995, 1)],
        }
    }

    #[test]
    fn what_happened_counts_for_the_month_of_its_day() {
        let (january, february) = (records().month(1, JANUARY, LAST).unwrap(), Date { month: 2, ..JANUARY });
        assert_eq!((january.renewals, january.declines, january.recoveries, january.ends), (1, 1, 1, 0));
        assert_eq!(january.revenue, BTreeMap::from([("USD".to_owned(), 2995)]));
        let next = records().month(2, february, Date { month: 2, day: 28, ..JANUARY }).unwrap();
        assert_eq!((next.renewals, next.declines, next.recoveries, next.ends), (0, 0, 0, 1));
        assert_eq!(next.revenue, BTreeMap::from([("USD".to_owned(), -995)]));
    }

    #[test]
    fn the_books_are_those_of_the_run_and_say_what_differs() {
        let sums = records().sums().unwrap();
        assert_eq!(sums["USD"], Sums { invoices: 2000, vendor: 2000 });
        let before = BTreeMap::from([("USD".to_owned(), Sums { invoices: 500, vendor: 700 })]);
        let books = Books::between(&before, &sums, 2);
        assert_eq!(books.sums["USD"], Sums { invoices: 1500, vendor: 1300 });
        let problems = books.list_problems().join("\n");
        assert!(problems.contains("15.00 USD") && problems.contains("13.00 USD") && problems.contains("2 entries"));
        assert_eq!(Books::between(&BTreeMap::new(), &sums, 0).list_problems(), Vec::<String>::new());
        assert_eq!(write_amount(-5), "-0.05");
    }
}
