//! `pavise journal`: read, follow and check journals, straight from the database.

use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use pavise_kernel::TableEntry;
use pavise_kernel::store::{Entry, Store};
use pavise_kernel::verify::Verdict;
use std::sync::Arc;
use std::time::Duration;

use crate::{domains, engine, print_out};

/// Entries read at once.
const PAGE: u32 = 1000;

/// The journal command to run.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the newest entries of a service's journal, and follow it with --follow
    Tail {
        /// Which database and which service
        #[command(flatten)]
        of: One,
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
        of: One,
    },
}

/// A database and a service.
#[derive(Debug, Args)]
pub struct One {
    /// The service, as in the list of calls: orders, payment_methods …
    service: String,
    /// sqlite://FILE or postgres://USER@HOST/NAME
    #[arg(long, env = "PAVISE_DATABASE", default_value = "sqlite://data/pavise.db")]
    database: String,
}

/// A database and a service, or all.
#[derive(Debug, Args)]
pub struct Of {
    /// The service, as in the list of calls: orders, payment_methods … All without one
    service: Option<String>,
    /// sqlite://FILE or postgres://USER@HOST/NAME
    #[arg(long, env = "PAVISE_DATABASE", default_value = "sqlite://data/pavise.db")]
    database: String,
}

/// Runs the command.
///
/// # Errors
/// When the database or the service is not there.
pub async fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Tail { of, clock, follow, json } => {
            let (store, _) = open(&of.database, Some(&of.service)).await?;
            tail(&store, &of.service, clock, follow, json).await?;
            engine::close(&store).await;
            Ok(ExitCode::SUCCESS)
        }
        Command::MaxClock { of } => {
            let (store, _) = open(&of.database, Some(&of.service)).await?;
            let head = store.head(&of.service).await?;
            engine::close(&store).await;
            print_out(&format!("{}\n", head.clock))?;
            Ok(ExitCode::SUCCESS)
        }
        Command::RenewEpoch { of } => {
            let (store, meant) = open(&of.database, of.service.as_deref()).await?;
            // All output is made before it is printed: the reader may leave in between.
            let mut said = String::new();
            for journal in meant {
                let head = store.renew_epoch(journal).await?;
                said.push_str(&format!("{journal:24} {:>9} clock  epoch {}\n", head.clock, head.epoch));
            }
            engine::close(&store).await;
            print_out(&said)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Verify { of } => {
            let (store, meant) = open(&of.database, of.service.as_deref()).await?;
            let mut sound = true;
            for journal in meant {
                let verdict = verify(&store, journal, true).await?;
                sound &= verdict.problems.is_empty();
                // Without a reader the check still goes on: the exit code covers all journals.
                print_out(&describe(&verdict, journal))?;
            }
            engine::close(&store).await;
            Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
    }
}

fn describe(verdict: &Verdict, journal: &str) -> String {
    let Verdict { entries, entities, problems } = verdict;
    let word = if problems.is_empty() { "sound" } else { "NOT SOUND" };
    let problems: String = problems.iter().take(20).map(|problem| format!("    {problem}\n")).collect();
    format!("{journal:24} {entries:>9} entries {entities:>9} entities  {word}\n{problems}")
}

/// The database, and the selected journals: those of the service, or all.
async fn open(database: &str, service: Option<&str>) -> anyhow::Result<(Arc<dyn Store>, Vec<&'static str>)> {
    let (store, present) = engine::look(database, &domains::migrations(&domains::every())).await?;
    let mut meant = journals_of(&present);
    if let Some(service) = service {
        if !meant.contains(&service) {
            bail!("{database} has no journal of {service}; it has those of {}", meant.join(", "));
        }
        meant.retain(|journal| *journal == service);
    }
    Ok((store, meant))
}

/// The names of all journals.
#[must_use]
pub fn journals() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = domains::tables().map(|entry| entry.table.journal).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The names of these domains' journals.
#[must_use]
pub fn journals_of(domains: &[String]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = domains::tables_of(domains).map(|entry| entry.table.journal).collect();
    names.sort_unstable();
    names.dedup();
    names
}

async fn tail(
    store: &Arc<dyn Store>,
    service: &str,
    clock: Option<i64>,
    follow: bool,
    json: bool,
) -> anyhow::Result<()> {
    let mut clock = match clock {
        Some(clock) => clock,
        None => (store.head(service).await?.clock - 20).max(0),
    };
    loop {
        let (entries, _) = store.journal(service, "", clock, PAGE).await?;
        for entry in &entries {
            clock = entry.clock;
            if !print_out(&(if json { as_json(entry)? } else { as_line(entry) } + "\n"))? {
                return Ok(());
            }
        }
        if entries.is_empty() {
            if !follow {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
    }
}

fn as_line(entry: &Entry) -> String {
    let at = pavise_kernel::time::to_timestamp(entry.at);
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

/// Replays a journal and compares it with the tables: [`pavise_kernel::verify`]. With `progress` a bar shows the
/// progress.
///
/// # Errors
/// When the database does not answer.
pub async fn verify(store: &Arc<dyn Store>, journal: &str, progress: bool) -> anyhow::Result<Verdict> {
    let length = if progress { store.head(journal).await?.clock } else { 0 };
    let bar = if progress { ProgressBar::new(u64::try_from(length).unwrap_or(0)) } else { ProgressBar::hidden() };
    bar.set_style(ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")?);
    bar.set_message(journal.to_owned());
    let tables: Vec<&'static TableEntry> = domains::tables().collect();
    let position = |clock| bar.set_position(u64::try_from(clock).unwrap_or(0));
    let verdict = pavise_kernel::verify::verify(store.as_ref(), journal, &tables, position).await?;
    bar.finish_and_clear();
    Ok(verdict)
}
