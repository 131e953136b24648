//! Proofs with real processes: what was acknowledged survives a kill, whatever is killed and whenever.
//!
//! Small by default; `PAVISE_LONG=1` runs each at length. Every proof prints what it counted. `PAVISE_PROGRAM` is another
//! program than the one that was built with it: the released one, say.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod aborts;
mod callers;
mod enrollment_killed;
mod faults;
mod idempotency;
mod journals;
mod kill_postgres;
mod kill_sqlite;
mod letters_killed;
mod looking;
mod mail_server;
mod measures;
mod numbers_killed;
mod readers;
mod sale_killed;
mod server;
mod shop;
mod takeover;
mod traces;
mod two_processes;
mod vendor_killed;
mod year;

use pavise_testkit::runs::run_size;

/// One proof at a time: each wants the machine for itself.
async fn turn() -> tokio::sync::MutexGuard<'static, ()> {
    static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
    TURN.lock().await
}
