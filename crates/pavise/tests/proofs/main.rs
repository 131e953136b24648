//! Proofs with real processes: what was acknowledged survives a kill, whatever is killed and whenever.
//!
//! Small by default; `PAVISE_LONG=1` runs each at length. Every proof prints what it counted.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod aborts;
mod callers;
mod faults;
mod idempotency;
mod journals;
mod kill_postgres;
mod kill_sqlite;
mod looking;
mod measures;
mod sale_killed;
mod server;
mod shop;
mod takeover;
mod traces;
mod two_processes;

/// Whether to run at length.
fn long() -> bool {
    std::env::var_os("PAVISE_LONG").is_some_and(|value| value == "1")
}

/// How much of a proof to run: the first in a quick run, the second at length.
fn size(quick: usize, at_length: usize) -> usize {
    if long() { at_length } else { quick }
}

/// One proof at a time: each wants the machine for itself.
async fn turn() -> tokio::sync::MutexGuard<'static, ()> {
    static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
    TURN.lock().await
}
