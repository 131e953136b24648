//! The metrics of a process at its admin port, under load and at rest.

use std::collections::BTreeMap;
use std::time::Duration;

use pavise_kernel::time::{Clock as _, SystemClock};
use pavise_testkit::postgres::Postgres;

use crate::callers::Load;
use crate::server::Server;
use crate::turn;

const WRITES: usize = 200;
/// At least so many workers follow a journal, each saying how far behind it is.
const FEEDS: usize = 8;

/// Every sample by its name and labels, as Prometheus reads them.
struct Samples(BTreeMap<String, f64>);

impl Samples {
    async fn of(server: &Server) -> Self {
        let text = reqwest::get(format!("{}/metrics", server.admin)).await.unwrap().text().await.unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.rsplit_once(' '));
        Self(lines.map(|(name, value)| (name.to_owned(), value.parse().unwrap())).collect())
    }

    /// Waits until they are as they shall be.
    async fn until(server: &Server, what: &str, holds: impl Fn(&Self) -> bool) -> Self {
        let waited = tokio::time::timeout(Duration::from_secs(60), async {
            loop {
                let samples = Self::of(server).await;
                if holds(&samples) {
                    return samples;
                }
            }
        });
        waited.await.unwrap_or_else(|_| panic!("{what}"))
    }

    /// Those of a name, by their labels.
    fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (&'a str, f64)> {
        self.0.iter().filter_map(move |(sample, value)| {
            let labels = sample.strip_prefix(name)?;
            (labels.is_empty() || labels.starts_with('{')).then_some((labels, *value))
        })
    }

    fn one(&self, name: &str) -> f64 {
        self.named(name).map(|(_, value)| value).next().unwrap_or_else(|| panic!("{name} is not measured"))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_process_does_is_measured() {
    let _turn = turn().await;
    let postgres = tokio::task::block_in_place(|| Postgres::start().unwrap());
    let database = tokio::task::block_in_place(|| postgres.make_database().unwrap());
    // Entries are counted for the first time while the server starts.
    let began = SystemClock.now() / 1_000_000;
    let server = Server::start_with(&database, &[("PAVISE_DATABASE_CONNECTIONS", "7")]);
    let load = Load::start(8);
    load.at(&server.base);
    let busy = Samples::until(&server, "requests in progress and connections in use are counted", |samples| {
        samples.one("pavise_requests_in_flight") > 0.0
            && samples.named("pavise_database_connections_in_use").any(|(_, used)| used > 0.0)
    })
    .await;
    assert!(busy.one("pavise_requests_in_flight") <= 8.0, "8 callers have one request each");
    let most: BTreeMap<&str, f64> = busy.named("pavise_database_connections").collect();
    assert!(most.values().sum::<f64>() >= 7.0, "{most:?}");
    for (kind, used) in busy.named("pavise_database_connections_in_use") {
        assert!((0.0..=most[kind]).contains(&used), "{used} of {most:?} {kind}");
    }
    load.reach(WRITES).await;
    let written = load.finish().await.len();

    let rest = Samples::until(&server, "at rest no worker is behind, and nothing is in progress", |samples| {
        samples.named("pavise_worker_lag").count() >= FEEDS
            && samples.named("pavise_worker_lag").all(|(_, lag)| lag == 0.0)
            && samples.one("pavise_requests_in_flight") == 0.0
            && samples.named("pavise_worker_entries").next().is_some()
    })
    .await;
    let answered: f64 = rest
        .named("pavise_calls_total")
        .filter(|(labels, _)| labels.contains(r#"code="OK""#))
        .map(|(_, count)| count)
        .sum();
    assert!(answered >= written as f64, "{answered} calls were counted, {written} writes were answered");
    let workers = rest.named("pavise_worker_lag").count();
    assert!(rest.named("pavise_worker_entries").all(|(_, entries)| entries == 0.0), "nothing was set aside");
    let counted = rest.one("pavise_worker_entries_seconds");
    assert!(counted >= began as f64 - 1.0, "counted at {counted}, begun at {began}");
    println!("{written} writes, {workers} workers, {} samples", rest.0.len());
}
