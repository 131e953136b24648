//! The calls of the run, as a program with every permission.
#![expect(clippy::indexing_slicing, reason = "indexing a JSON value answers null where there is nothing")]

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use pavise_kernel::common::v1::Date;
use pavise_kernel::range::SortKey as _;
use pavise_kernel::time::{is_real, to_days};
use serde_json::{Value, json};

use crate::domains;
use crate::wire::{Client, Failure, Surface};

/// The entities of a page.
const PAGE: u32 = 200;
/// The time between two looks.
const LOOK: Duration = Duration::from_millis(50);
/// The longest that one day, or the vendor's answers, are waited for.
const PATIENCE: Duration = Duration::from_secs(120);

/// The caller.
pub(super) struct Desk {
    client: Client,
}

impl Desk {
    pub(super) fn new(server: &str, token: &str) -> anyhow::Result<Self> {
        let client = Client::new(server, Surface::Grpc, &domains::pool(false)?)?.with_token(token);
        Ok(Self { client })
    }

    pub(super) async fn call(&self, name: &str, request: Value) -> anyhow::Result<Value> {
        let answer = self.client.call(name, request).await.with_context(|| name.to_owned())?;
        Ok(answer.json)
    }

    /// All entities of a list, whosoever they are.
    pub(super) async fn list(&self, name: &str, field: &str, request: &Value) -> anyhow::Result<Vec<Value>> {
        let (mut all, mut token) = (Vec::new(), String::new());
        loop {
            let mut page = request.clone();
            page["pageSize"] = json!(PAGE);
            page["pageToken"] = json!(token);
            let mut answer = self.call(name, page).await?;
            match answer[field].take() {
                Value::Array(items) => all.extend(items),
                _ => bail!("{name} answered no {field}"),
            }
            token = text(&answer["nextPageToken"]).to_owned();
            if token.is_empty() {
                return Ok(all);
            }
        }
    }

    /// The day on which the test clock stands.
    pub(super) async fn read_today(&self) -> anyhow::Result<Date> {
        let clock = self.read_clock().await?;
        ensure!(
            clock["lastAdvance"]["advancing"] != true,
            "the test clock is on its way already: wait until it stands"
        );
        parse_day(text(&clock["today"])).with_context(|| format!("the test clock has no day: {clock}"))
    }

    async fn read_clock(&self) -> anyhow::Result<Value> {
        match self.client.call("test_clock.GetTestClock", json!({})).await {
            Ok(answer) => Ok(answer.json),
            Err(Failure::Refused(refusal)) if refusal.reason == "NOT_CONFIGURED" => bail!(
                "the server has no test clock. Start one on an empty database: pavise serve --test-clock 2026-01-01 --test-vendor \
                 --outbox --mesh-secret SECRET --database sqlite://year.db; or leave out --server, and one is started for the run"
            ),
            Err(error) => Err(error).context("test_clock.GetTestClock"),
        }
    }

    /// Moves the clock to that day, and waits until its work is done.
    pub(super) async fn advance_until(&self, day: Date) -> anyhow::Result<()> {
        if to_days(self.read_today().await?) >= to_days(day) {
            return Ok(());
        }
        self.call("test_clock.AdvanceTestClock", json!({"untilDay": day.key()})).await?;
        let (mut since, mut over) = (Instant::now(), 0);
        loop {
            let clock = self.read_clock().await?;
            let advance = &clock["lastAdvance"];
            if advance["advancing"] != true {
                ensure!(advance["untilDay"] == day.key(), "somebody stopped the test clock on {}", advance["untilDay"]);
                return Ok(());
            }
            let days = advance["days"].as_array().map_or(0, Vec::len);
            if days > over {
                (since, over) = (Instant::now(), days);
            }
            ensure!(since.elapsed() < PATIENCE, "the next day does not come; it waits for {}", advance["waitsFor"]);
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Waits until the outcome of every payment is known. An answer that was lost is asked for again by the machine's clock.
    pub(super) async fn wait_for_vendor(&self) -> anyhow::Result<()> {
        let began = Instant::now();
        loop {
            let mut waiting = 0;
            for status in ["CREATED", "TIMEDOUT"] {
                let ask = json!({"status": status});
                waiting += self.list("payment_methods.ListTransactions", "transactions", &ask).await?.len();
            }
            for status in ["ACTIVE", "FAILED", "DELINQUENT", "PARTIALLY_FUNDED"] {
                let open = self.list("invoices.ListAllInvoices", "invoices", &json!({"status": status})).await?;
                waiting += open.iter().filter(|invoice| is_in_progress(invoice)).count();
            }
            if waiting == 0 {
                return Ok(());
            }
            ensure!(began.elapsed() < PATIENCE, "{waiting} payments have no outcome");
            tokio::time::sleep(LOOK).await;
        }
    }

    /// The entries that workers could not handle.
    pub(super) async fn count_left(&self) -> anyhow::Result<i64> {
        let clock = self.read_clock().await?;
        let days = clock["lastAdvance"]["days"].as_array();
        let figures = days.and_then(|days| days.last()).and_then(|day| day["figures"].as_array());
        let left = figures.into_iter().flatten().filter(|one| ["parked", "set_aside"].contains(&text(&one["name"])));
        left.map(|one| parse_number(&one["count"])).sum()
    }
}

/// Whether a payment of the invoice has no outcome.
fn is_in_progress(invoice: &Value) -> bool {
    let payments = invoice["payments"].as_array();
    payments.into_iter().flatten().any(|payment| ["CREATED", "TIMEDOUT"].contains(&text(&payment["status"])))
}

/// A text; empty where there is none.
pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A large number as JSON has it: a text. Zero where there is none.
pub(super) fn parse_number(value: &Value) -> anyhow::Result<i64> {
    match value {
        Value::Null => Ok(0),
        Value::String(number) => number.parse().with_context(|| format!("{number} is no number")),
        other => other.as_i64().with_context(|| format!("{other} is no number")),
    }
}

/// A day as `2026-01-31`.
fn parse_day(day: &str) -> Option<Date> {
    let mut parts = day.split('-').map(str::parse::<i32>);
    let (year, month, day) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
    let date = Date { year, month, day };
    (parts.next().is_none() && is_real(date)).then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_numbers_are_read_as_json_has_them() {
        assert_eq!(parse_day("2026-02-28"), Some(Date { year: 2026, month: 2, day: 28 }));
        for bad in ["", "2026-02-29", "2026-02", "2026-02-01-01", "tomorrow"] {
            assert_eq!(parse_day(bad), None, "{bad}");
        }
        assert_eq!(parse_number(&json!("-2995")).unwrap(), -2995);
        assert_eq!((parse_number(&json!(7)).unwrap(), parse_number(&Value::Null).unwrap()), (7, 0));
        assert!(parse_number(&json!("29.95")).is_err());
    }
}
