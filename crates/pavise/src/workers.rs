//! `pavise workers`: the parked entries (dead letters), and orders to workers, straight from the database.

use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use comfy_table::{ContentArrangement, Table, presets};
use pavise_kernel::store::{FailedEntry, Store, WorkerOrder, WorkerOrderKind};
use pavise_kernel::time::{Clock as _, SystemClock};

use crate::{engine, print_out};

/// Entries listed at most.
const MOST: u32 = 1000;

/// The command on parked entries (dead letters) and workers.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the entries that workers could not handle yet: those that are tried again, and those that are parked
    List {
        /// sqlite://FILE or postgres://USER@HOST/NAME
        #[arg(long, env = "PAVISE_DATABASE", default_value = "sqlite://data/pavise.db")]
        database: String,
        /// Print each as a JSON line
        #[arg(long)]
        json: bool,
    },
    /// Let a worker try an entry again, at once
    Replay {
        /// The worker, as listed
        worker: String,
        /// The entry's clock, as listed
        clock: i64,
        /// sqlite://FILE or postgres://USER@HOST/NAME
        #[arg(long, env = "PAVISE_DATABASE", default_value = "sqlite://data/pavise.db")]
        database: String,
    },
    /// Pause a worker: it handles nothing until it is activated
    Pause(Ordered),
    /// Let a paused worker go on
    Activate(Ordered),
    /// Let a timer run now, once
    Trigger(Ordered),
}

/// A worker that gets an order.
#[derive(Debug, Args)]
pub struct Ordered {
    /// The worker: `orders.sell_offers`
    worker: String,
    /// Why, for others
    #[arg(long, default_value = "")]
    note: String,
    /// sqlite://FILE or postgres://USER@HOST/NAME
    #[arg(long, env = "PAVISE_DATABASE", default_value = "sqlite://data/pavise.db")]
    database: String,
}

/// Runs the command.
///
/// # Errors
/// When the database or the entry is not there.
pub async fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::List { database, json } => {
            let store = open(&database).await?;
            let entries = store.failed_entries("", MOST).await?;
            engine::close(&store).await;
            let table = || format!("{}\n", as_table(&entries));
            let text =
                if json { entries.iter().map(|entry| format!("{}\n", as_json(entry))).collect() } else { table() };
            print_out(&text)?;
        }
        Command::Replay { worker, clock, database } => {
            let store = open(&database).await?;
            let found = store.failed_entries(&worker, MOST).await?.into_iter().find(|entry| entry.clock == clock);
            let entry = found.with_context(|| format!("{worker} has no failed entry {clock}"))?;
            store.retry(&FailedEntry { attempts: 0, next_at: 0, parked: false, ..entry }).await?;
            engine::close(&store).await;
            print_out(&format!("{worker} tries entry {clock} again\n"))?;
        }
        Command::Pause(to) => order(to, WorkerOrderKind::Pause, "is paused").await?,
        Command::Activate(to) => order(to, WorkerOrderKind::Activate, "is active").await?,
        Command::Trigger(to) => order(to, WorkerOrderKind::Trigger, "runs now if it is a timer").await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Gives an order to a worker. A name that has never been seen gets one too: a worker may not have run yet.
async fn order(to: Ordered, kind: WorkerOrderKind, done: &str) -> anyhow::Result<()> {
    let store = open(&to.database).await?;
    let order = WorkerOrder { kind, at: SystemClock.now(), by: "pavise workers".to_owned(), note: to.note };
    let changed = store.order_worker(&to.worker, &order).await?;
    let state = store.worker_state(&to.worker).await?;
    engine::close(&store).await;
    let refused = kind == WorkerOrderKind::Trigger && state.is_paused;
    anyhow::ensure!(!refused, "{} is paused; activate it first", to.worker);
    let said = if changed { "" } else { "already " };
    print_out(&format!("{} {said}{done}\n", to.worker))?;
    Ok(())
}

async fn open(database: &str) -> anyhow::Result<std::sync::Arc<dyn Store>> {
    Ok(engine::look(database, &[]).await?.0)
}

fn state(entry: &FailedEntry) -> &'static str {
    if entry.parked { "parked" } else { "tried again" }
}

fn as_json(entry: &FailedEntry) -> serde_json::Value {
    serde_json::json!({
        "worker": entry.worker, "clock": entry.clock, "entityId": entry.entity_id, "attempts": entry.attempts,
        "state": state(entry), "nextAt": entry.next_at, "cause": entry.cause,
    })
}

fn as_table(entries: &[FailedEntry]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["worker", "clock", "entity", "attempts", "state", "cause"]);
    for entry in entries {
        let (clock, attempts) = (entry.clock.to_string(), entry.attempts.to_string());
        table.add_row([&entry.worker, &clock, &entry.entity_id, &attempts, state(entry), &entry.cause]);
    }
    table
}
