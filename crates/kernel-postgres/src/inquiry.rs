//! Whether the server is at work for a connection that does not answer.
//!
//! A statement may rightly take seconds: it waits for a lock, or the server's disk is slow. It may also never arrive, or
//! its answer may not, because the network swallowed it, and nobody is told. Waiting long for both would stop the
//! writers of a journal for as long after a network is well again; waiting briefly would give up commits that are on
//! their way. So the server is asked, over another connection: as long as it is at work, it is waited for. If it is
//! not, twice in succession and with nothing in between, the connection is lost; the server's end of it is ended, so
//! that no lock of it is left and nothing comes of it later.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout};

use crate::connections::connect;

/// How long an answer is simply waited for.
const PATIENCE: Duration = Duration::from_millis(300);
/// Between one look at the server and the next, at the least.
const AGAIN: Duration = Duration::from_millis(150);
/// How long a look may take once there is a connection.
const LOOK: Duration = Duration::from_millis(500);

/// Asks the server about its processes, over a connection of its own that is made when it is first needed.
#[derive(Debug)]
pub(crate) struct Inquiry {
    options: PgConnectOptions,
    connection: Mutex<Option<PgConnection>>,
}

/// What a process of the server does.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Doing {
    /// It runs a statement.
    Work,
    /// It has waited for one since then.
    Nothing(String),
    /// There is none.
    Gone,
}

impl Inquiry {
    pub(crate) fn new(options: PgConnectOptions) -> Self {
        Self { options, connection: Mutex::default() }
    }

    /// Ends once it is certain that this process of the server will not answer.
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
            // Where all takes long, what was sent may still be on its way. That the server was not reached says nothing.
            sleep(AGAIN.max(took.unwrap_or_default() * 2)).await;
        }
    }

    /// What the process does, and how long that took to say; `None` when the server does not say.
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

    /// The server's answer, where there is one soon, and how long it took.
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
