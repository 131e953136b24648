//! Months of bills on the test clock: the invoices say what the vendor moved, each period is billed once, and a second run
//! brings the same figures.

use std::collections::BTreeSet;

use pavise::demo::{Plan, Progress, Year, live};
use pavise::domains;
use pavise::wire::{Client, Surface};
use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{add_days, add_months, days_in_month, to_days};
use serde_json::{Value, json};

use crate::server::{self, Server};
use crate::shop::{list, text};
use crate::{run_size, turn};

/// The members and months of the short form, and those at length. Twenty members have every habit; in three months some
/// were refused, suspended and paid again, and some left.
const MEMBERS: [usize; 2] = [20, 300];
const MONTHS: [usize; 2] = [3, 13];
/// The months that are lived through twice.
const TWICE: [usize; 2] = [1, 13];
/// The day on which the clock begins.
const BEGINS_ON: &str = "2026-01-01";
/// The days from the first refusal to the last try.
const GRACE: i64 = 7;

/// Lives through the months on a server of its own. Answers them with the server, which goes with its folder.
async fn run(months: [usize; 2]) -> (Year, Server, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}", folder.path().join("pavise.db").display());
    let server = Server::start_with(&database, &[("PAVISE_TEST_CLOCK", BEGINS_ON), ("PAVISE_OUTBOX", "true")]);
    let [members, months] = [MEMBERS, months].map(|[short, long]| u32::try_from(run_size(short, long)).unwrap());
    let tell = |progress: Progress<'_>| -> anyhow::Result<()> {
        if let Progress::Month(month) = progress {
            println!("{month:?}");
        }
        Ok(())
    };
    let year = live(&server.base, &server::token(), Plan { members, months }, tell).await;
    let year = year.unwrap_or_else(|error| panic!("{error:#}\n{}", server.said().join("\n")));
    (year, server, folder)
}

#[tokio::test(flavor = "multi_thread")]
async fn each_period_is_billed_once_the_books_are_equal_and_a_second_run_brings_the_same_figures() {
    let _turn = turn().await;
    let (year, server, folder) = run(MONTHS).await;
    assert_eq!(year.books.list_problems(), Vec::<String>::new());
    for currency in ["USD", "CAD"] {
        assert!(year.books.sums[currency].invoices > 0, "nothing was paid in {currency}: {:?}", year.books);
        let revenue: i64 = year.months.iter().filter_map(|month| month.revenue.get(currency)).sum();
        assert_eq!(
            revenue, year.books.sums[currency].vendor,
            "the months add up to the vendor's movements in {currency}"
        );
    }
    let met = |count: fn(&pavise::demo::Month) -> usize| year.months.iter().map(count).sum::<usize>();
    let met = [
        met(|month| month.renewals),
        met(|month| month.declines),
        met(|month| month.recoveries),
        met(|month| month.ends),
    ];
    assert!(met.iter().all(|count| *count > 0), "renewals, declines, recoveries, ends: {met:?}");

    let desk = Desk::new(&server);
    let today = day(&desk.call("test_clock.GetTestClock", json!({})).await["today"]);
    let invoices = desk.list("invoices.ListAllInvoices", "invoices").await;
    let subscriptions = desk.read_subscriptions(&invoices).await;
    assert_eq!(subscriptions.len(), run_size(MEMBERS[0], MEMBERS[1]));
    let mut billed = 0;
    for subscription in &subscriptions {
        let mut own: Vec<&Value> = invoices.iter().filter(|one| one["subscriptionId"] == subscription["id"]).collect();
        own.sort_by_key(|invoice| to_days(day(&invoice["periodFrom"])));
        billed += own.len();
        check_periods(subscription, &own, today);
        check_cover(subscription, &own, today);
    }
    assert_eq!(billed, invoices.len(), "an invoice belongs to no subscription");
    println!("{billed} periods of {} subscriptions until {today:?}", subscriptions.len());

    drop((server, folder));
    let (second, ..) = run(TWICE).await;
    if year.met_midnight || second.met_midnight {
        println!("the second run is left out: the machine's midnight went by");
        return;
    }
    assert_eq!(second.months, year.months[..second.months.len()]);
}

/// Each period has one invoice, from the first day on, without a gap. A plan that runs is billed to the present day.
fn check_periods(subscription: &Value, invoices: &[&Value], today: Date) {
    let start = day(&subscription["startedOn"]);
    let months = if subscription["billingPeriod"] == "ANNUAL" { 12 } else { 1 };
    // The oracle counts from the first day each time, and so the 31st comes back after a short month.
    let first_of = |number: usize| {
        let month = add_months(Date { day: 1, ..start }, i32::try_from(number).unwrap() * months);
        Date { day: start.day.min(days_in_month(month.year, month.month)), ..month }
    };
    for (number, invoice) in invoices.iter().enumerate() {
        let expected = (first_of(number), add_days(first_of(number + 1), -1));
        let billed = (day(&invoice["periodFrom"]), day(&invoice["periodUntil"]));
        assert_eq!(billed, expected, "period {number} of {subscription}");
    }
    let due = (0..).take_while(|number| to_days(first_of(*number)) <= to_days(today)).count();
    let status = text(&subscription["status"]);
    if ["ACTIVE", "CATCHING_UP"].contains(&status.as_str()) {
        assert_eq!(invoices.len(), due, "{subscription}");
    } else {
        assert!(invoices.len() <= due, "{subscription}");
    }
}

/// Each period is paid, or within the days of the schedule. A plan with one beyond them is at rest or over.
fn check_cover(subscription: &Value, invoices: &[&Value], today: Date) {
    let status = text(&subscription["status"]);
    for invoice in invoices {
        let refused = invoice["firstRefusedOn"].as_str().map(|_| to_days(day(&invoice["firstRefusedOn"])));
        if let Some(refused) = refused {
            let last = to_days(day(&invoice["lastRefusedOn"]));
            assert!(last <= refused + GRACE, "tried after the schedule: {invoice}");
        }
        match text(&invoice["status"]).as_str() {
            "PAID" | "REFUNDED" => {}
            "FAILED" => assert!(refused.is_some_and(|day| to_days(today) < day + GRACE), "{invoice}"),
            "DELINQUENT" => {
                let is_at_rest = ["SUSPENDED", "PRECANCEL", "CANCELLED"].contains(&status.as_str());
                assert!(is_at_rest, "the plan runs and is not paid: {subscription} {invoice}");
            }
            other => panic!("{other}: {invoice}"),
        }
    }
}

fn day(value: &Value) -> Date {
    let text = value.as_str().unwrap_or_else(|| panic!("no day: {value}"));
    let parts: Vec<i32> = text.split('-').map(|part| part.parse().unwrap()).collect();
    Date { year: parts[0], month: parts[1], day: parts[2] }
}

/// A caller that reads everything.
pub(crate) struct Desk {
    client: Client,
}

impl Desk {
    pub(crate) fn new(server: &Server) -> Self {
        let client = Client::new(&server.base, Surface::Grpc, &domains::pool(false).unwrap()).unwrap();
        Self { client: client.with_token(&server::token()) }
    }

    pub(crate) async fn call(&self, name: &str, request: Value) -> Value {
        self.client.call(name, request).await.unwrap_or_else(|error| panic!("{name}: {error}")).json
    }

    /// The subscriptions that were billed.
    async fn read_subscriptions(&self, invoices: &[Value]) -> Vec<Value> {
        let named = |invoice: &Value| (text(&invoice["ownerId"]), text(&invoice["subscriptionId"]));
        let ids: BTreeSet<(String, String)> = invoices.iter().map(named).collect();
        let mut found = Vec::new();
        for (owner, id) in ids {
            let ask = json!({"identityId": owner, "subscriptionId": id});
            found.push(self.call("subscriptions.GetSubscription", ask).await);
        }
        found
    }

    pub(crate) async fn list(&self, name: &str, field: &str) -> Vec<Value> {
        let (mut all, mut token) = (Vec::new(), String::new());
        loop {
            let page = self.call(name, json!({"pageSize": 200, "pageToken": token})).await;
            all.extend(list(&page, field));
            token = text(&page["nextPageToken"]);
            if token.is_empty() {
                return all;
            }
        }
    }
}
