//! `pavise journal`: read, follow and check journals, straight from the database.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use pavise_kernel::TableEntry;
use pavise_kernel::store::{Entry, Store};
use std::sync::Arc;
use std::time::Duration;

use crate::settings::DOMAINS;
use crate::{app, engine};

/// Entries read at once.
const PAGE: u32 = 1000;

/// What to do with a journal.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the newest entries of a service's journal, and follow it with --follow
    Tail {
        /// Which database and which service
        #[command(flatten)]
        of: Of,
        /// Start after this clock instead of at the last 20 entries
        #[arg(long)]
        clock: Option<i64>,
        /// Stay, and print entries as they are committed
        #[arg(long, short)]
        follow: bool,
        /// Print each entry as a JSON line with the entity after the change
        #[arg(long)]
        json: bool,
    },
    /// Check that journals have no gap and that replaying them gives the current state
    Verify {
        /// Which database, and which service (all when none is named)
        #[command(flatten)]
        of: Of,
    },
    /// After restoring a backup, before the servers are started: tell every reader that what it read beyond is gone
    RenewEpoch {
        /// Which database, and which service (all when none is named)
        #[command(flatten)]
        of: Of,
    },
    /// Print the highest clock of a service's journal
    MaxClock {
        /// Which database and which service
        #[command(flatten)]
        of: Of,
    },
}

/// A database and a service.
#[derive(Debug, Args)]
pub struct Of {
    /// The service, as in the list of calls: orders, payment_methods …
    service: Option<String>,
    /// sqlite://FILE or postgres://USER@HOST/NAME
    #[arg(long, env = "PAVISE_DATABASE", default_value = "sqlite://data/pavise.db")]
    database: String,
}

/// What a verification found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Entries read.
    pub entries: i64,
    /// Entities in the tables.
    pub entities: i64,
    /// What is wrong, in words; empty when all is right.
    pub problems: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// When the database or the service is not there.
pub async fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Tail { of, clock, follow, json } => {
            let (store, service) = of.open().await?;
            tail(&store, &service.context("name the service")?, clock, follow, json).await
        }
        Command::MaxClock { of } => {
            let (store, service) = of.open().await?;
            println!("{}", store.head(&service.context("name the service")?).await?.clock);
            Ok(ExitCode::SUCCESS)
        }
        Command::RenewEpoch { of } => {
            let (store, service) = of.open().await?;
            for journal in journals().into_iter().filter(|journal| service.as_ref().is_none_or(|only| only == journal)) {
                let head = store.renew_epoch(journal).await?;
                println!("{journal:24} {:>9} clock  epoch {}", head.clock, head.epoch);
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Verify { of } => {
            let (store, service) = of.open().await?;
            let mut sound = true;
            for journal in journals().into_iter().filter(|journal| service.as_ref().is_none_or(|only| only == journal)) {
                let verdict = verify(&store, journal, true).await?;
                println!(
                    "{journal:24} {:>9} entries {:>9} entities  {}",
                    verdict.entries,
                    verdict.entities,
                    if verdict.problems.is_empty() { "sound" } else { "NOT SOUND" }
                );
                for problem in verdict.problems.iter().take(20) {
                    println!("    {problem}");
                }
                sound &= verdict.problems.is_empty();
            }
            Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
    }
}

impl Of {
    async fn open(self) -> anyhow::Result<(Arc<dyn Store>, Option<String>)> {
        if engine::sqlite_file(&self.database).is_some_and(|file| !file.exists()) {
            bail!("there is no database {}", self.database);
        }
        if let Some(service) = &self.service
            && !journals().contains(&service.as_str())
        {
            bail!("there is no service {service}; there are {}", journals().join(", "));
        }
        let all = DOMAINS.map(str::to_owned);
        let store = engine::open(&self.database, 4, &app::migrations(&all)).await?;
        Ok((store, self.service))
    }
}

/// The names of all journals.
#[must_use]
pub fn journals() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = app::tables().map(|entry| entry.table.journal).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The names of these domains' journals.
#[must_use]
pub fn journals_of(domains: &[String]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = app::tables_of(domains).map(|entry| entry.table.journal).collect();
    names.sort_unstable();
    names.dedup();
    names
}

async fn tail(store: &Arc<dyn Store>, service: &str, clock: Option<i64>, follow: bool, json: bool) -> anyhow::Result<ExitCode> {
    let mut clock = match clock {
        Some(clock) => clock,
        None => (store.head(service).await?.clock - 20).max(0),
    };
    loop {
        let (entries, _) = store.journal(service, "", clock, PAGE).await?;
        for entry in &entries {
            clock = entry.clock;
            crate::print_out(&(if json { as_json(entry)? } else { as_line(entry) } + "\n"));
        }
        if entries.is_empty() {
            if !follow {
                return Ok(ExitCode::SUCCESS);
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
    }
}

fn as_line(entry: &Entry) -> String {
    let at = pavise_kernel::time::timestamp(entry.at);
    format!(
        "{:>9}  {at}  {:24} {}/{} v{}  by {}",
        entry.clock, entry.action, entry.table, entry.entity_id, entry.version, entry.actor
    )
}

fn as_json(entry: &Entry) -> anyhow::Result<String> {
    let entity: serde_json::Value = serde_json::from_str(&entry.doc)?;
    Ok(serde_json::json!({
        "clock": entry.clock, "action": entry.action, "table": entry.table, "entityId": entry.entity_id, "ownerId": entry.owner_id,
        "version": entry.version, "at": entry.at, "actor": entry.actor, "subject": entry.subject, "requestId": entry.request_id,
        "removed": entry.removed, "entity": entity,
    })
    .to_string())
}

/// Replays a journal from its start and compares with the tables: no gap, the head is the last entry, and the last
/// state of each entity in the journal is its row.
///
/// # Errors
/// When the database does not answer.
pub async fn verify(store: &Arc<dyn Store>, journal: &str, progress: bool) -> anyhow::Result<Verdict> {
    let head = store.head(journal).await?;
    let bar = if progress { ProgressBar::new(u64::try_from(head.clock).unwrap_or(0)) } else { ProgressBar::hidden() };
    bar.set_style(ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")?);
    bar.set_message(journal.to_owned());
    let mut verdict = Verdict::default();
    let mut last: BTreeMap<(String, String), (i64, i64, bool, String)> = BTreeMap::new();
    let mut clock = 0;
    loop {
        let (entries, _) = store.journal(journal, "", clock, PAGE).await?;
        if entries.is_empty() {
            break;
        }
        for entry in entries {
            if entry.clock != clock + 1 {
                verdict.problems.push(format!("after clock {clock} comes {}", entry.clock));
            }
            clock = entry.clock;
            verdict.entries += 1;
            last.insert((entry.table, entry.entity_id), (entry.clock, entry.version, entry.removed, entry.doc));
        }
        bar.set_position(u64::try_from(clock).unwrap_or(0));
    }
    bar.finish_and_clear();
    if clock < head.clock {
        verdict.problems.push(format!("the counter stands at {}, the last entry at {clock}", head.clock));
    }
    for entry in app::tables().filter(|entry| entry.table.journal == journal) {
        rows(store, entry, &mut last, &mut verdict).await?;
    }
    for ((table, id), (clock, _, removed, _)) in last {
        if !removed {
            verdict.problems.push(format!("{table}/{id} is in the journal at {clock} and not in its table"));
        }
    }
    Ok(verdict)
}

type Last = BTreeMap<(String, String), (i64, i64, bool, String)>;

async fn rows(store: &Arc<dyn Store>, entry: &'static TableEntry, last: &mut Last, verdict: &mut Verdict) -> anyhow::Result<()> {
    let mut after = String::new();
    loop {
        let rows = store.scan(entry.table, &after, PAGE).await?;
        let Some(end) = rows.last() else { return Ok(()) };
        after.clone_from(&end.id);
        for row in rows {
            verdict.entities += 1;
            let place = (entry.table.name.to_owned(), row.id.clone());
            match last.remove(&place) {
                Some((clock, version, false, doc)) if clock == row.clock && version == row.version && doc == row.doc => {}
                Some(_) => verdict.problems.push(format!("{}/{} differs from its last entry", place.0, place.1)),
                None => verdict.problems.push(format!("{}/{} is in its table and not in the journal", place.0, place.1)),
            }
        }
    }
}
