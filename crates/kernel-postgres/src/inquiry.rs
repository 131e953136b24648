//! Finds out whether the server works on a statement whose connection does not answer.
//!
//! A statement may rightly take seconds: it waits for a lock, or the server's disk is slow. The network may also lose
//! the statement or its answer without notice. A long wait for both would stop the writers of a journal for as long
//! after the network is well again. A short wait would give up commits that are under way.
//!
//! So the server is asked over another connection. While it works on the statement, the job waits. If it is idle twice
//! in succession, with nothing in between, the connection is lost. Its process on the server is then ended, so that it
//! keeps no lock and has no later effect.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout};

use crate::connect::connect;

/// How long a job waits before it asks the server.
const PATIENCE: Duration = Duration::from_millis(300);
/// Least time between two questions to the server.
const AGAIN: Duration = Duration::from_millis(150);
/// The deadline of a question once there is a connection.
const LOOK: Duration = Duration::from_millis(500);

/// Asks the server about its processes, over a connection of its own that is opened when it is first needed.
#[derive(Debug)]
pub(crate) struct Inquiry {
    options: PgConnectOptions,
    connection: Mutex<Option<PgConnection>>,
}

/// The activity of a process of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Doing {
    /// It runs a statement.
    Work,
    /// It is idle since that time.
    Nothing(String),
    /// The process does not exist.
    Gone,
}

impl Inquiry {
    pub(crate) fn new(options: PgConnectOptions) -> Self {
        Self { options, connection: Mutex::default() }
    }

    /// Returns once it is certain that this process of the server will not answer.
    pub(crate) async fn lost(&self, backend: i32) {
        sleep(PATIENCE).await;
        let mut before = None;
        loop {
            let (doing, took) = self.look(backend).await.unzip();
            if doing.is_some() && doing != Some(Doing::Work) && doing == before {
                if let Some(Doing::Nothing(since)) = doing {
                    self.end(backend, &since).await;
                }
                tracing::info!(backend, "a connection to the database was lost without a word");
                return;
            }
            before = doing;
            // On a slow network, the statement may still be under way. An unreachable server proves nothing.
            sleep(AGAIN.max(took.unwrap_or_default() * 2)).await;
        }
    }

    /// The activity of the process, and the time of the answer; `None` when the server does not answer.
    async fn look(&self, backend: i32) -> Option<(Doing, Duration)> {
        const LOOK: &str = "SELECT coalesce(state, '') = 'active', coalesce(state_change::text, '') FROM pg_stat_activity \
             WHERE pid = $1 AND $2::text = ''";
        let (answer, took) = self.ask(LOOK, backend, "").await?;
        let doing = match answer {
            None => Doing::Gone,
            Some((true, _)) => Doing::Work,
            Some((false, since)) => Doing::Nothing(since),
        };
        Some((doing, took))
    }

    /// Ends the process, unless it has begun to work since.
    async fn end(&self, backend: i32, since: &str) {
        const END: &str = "SELECT pg_terminate_backend(pid), '' FROM pg_stat_activity \
             WHERE pid = $1 AND state_change::text = $2 AND state <> 'active'";
        if self.ask(END, backend, since).await.is_none() {
            tracing::debug!(backend, "the server's end of a lost connection was not ended");
        }
    }

    /// The server's answer, if it comes before the deadline, and the time it took.
    async fn ask(&self, sql: &'static str, backend: i32, since: &str) -> Option<(Option<(bool, String)>, Duration)> {
        let mut slot = self.connection.lock().await;
        let mut connection = match slot.take() {
            Some(connection) => connection,
            None => connect(&self.options).await.ok()?.connection,
        };
        let asked = Instant::now();
        let query = sqlx::query_as(sql).bind(backend).bind(since);
        let answer = timeout(LOOK, query.fetch_optional(&mut connection)).await.ok()?.ok()?;
        *slot = Some(connection);
        Some((answer, asked.elapsed()))
    }
}
