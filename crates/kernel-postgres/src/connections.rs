//! Connections, kept by the engine itself.
//!
//! A job runs in a task of its own and owns its connection until it is done. A dropped caller leaves neither a
//! transaction nor half an answer behind. A connection with any failure is closed, not repaired. sqlx's pool is not
//! used: it makes a round trip whenever a connection is returned. A single writer would pay for it at each commit.
//!
//! A network may lose a statement or its answer without notice. A job without an early answer therefore asks the
//! server, over another connection, whether it works on the statement: see [`Inquiry`].

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pavise_kernel::store::StoreError;
use sqlx::Connection;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgDatabaseError, PgSeverity};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::connect::{Live, connect};
use crate::inquiry::Inquiry;

/// How long a job waits for a connection.
const TURN: Duration = Duration::from_secs(5);
/// The deadline for an idle connection to show that it is alive.
const PING: Duration = Duration::from_millis(500);
/// The deadline of a job. It is longer than the server's limit for a statement, so that only a silent server reaches
/// it.
const DEADLINE: Duration = Duration::from_secs(20);
/// Idle time after which a connection is checked, because the server may have gone away unnoticed.
const PAUSE: Duration = Duration::from_secs(1);

/// Work on a connection.
pub(crate) type Job<'c, T> = Pin<Box<dyn Future<Output = Result<T, Fault>> + Send + 'c>>;

/// The reason why work on a connection failed.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Nothing was written.
    Before(sqlx::Error),
    /// It failed at a point where it may have been committed.
    During(sqlx::Error),
}

impl From<sqlx::Error> for Fault {
    fn from(error: sqlx::Error) -> Self {
        Self::Before(error)
    }
}

impl Fault {
    /// The failure of a statement that commits. The server reports that it has not committed; a lost connection reports
    /// nothing.
    pub(crate) fn of_commit(error: sqlx::Error) -> Self {
        let severity = database_error(&error).map(PgDatabaseError::severity);
        if matches!(severity, Some(PgSeverity::Error)) { Self::Before(error) } else { Self::During(error) }
    }

    fn error(&self) -> &sqlx::Error {
        match self {
            Self::Before(error) | Self::During(error) => error,
        }
    }

    /// Whether the connection failed, not the statement.
    fn is_of_connection(&self) -> bool {
        !matches!(database_error(self.error()).map(PgDatabaseError::severity), Some(PgSeverity::Error))
    }
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        Self { cause: fault.error().to_string(), unknown: matches!(fault, Fault::During(_)) }
    }
}

/// The server's error, if it answered.
pub(crate) fn database_error(error: &sqlx::Error) -> Option<&PgDatabaseError> {
    error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>())
}

/// Connections to one server. The connection that was used last is reused first.
#[derive(Debug)]
pub(crate) struct Connections {
    /// Their purpose: `read` or `write`.
    kind: &'static str,
    options: PgConnectOptions,
    turns: Arc<Semaphore>,
    idle: Mutex<Vec<Idle>>,
    inquiry: Arc<Inquiry>,
}

/// The right to use a connection.
struct Turn {
    kind: &'static str,
    _permit: OwnedSemaphorePermit,
}

impl Turn {
    fn begin(permit: OwnedSemaphorePermit, kind: &'static str) -> Self {
        metrics::gauge!("pavise_database_connections_in_use", "kind" => kind).increment(1);
        Self { kind, _permit: permit }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        metrics::gauge!("pavise_database_connections_in_use", "kind" => self.kind).decrement(1);
    }
}

#[derive(Debug)]
struct Idle {
    live: Live,
    since: Instant,
}

impl Connections {
    /// Allows at most `count` connections at once. None is opened yet.
    pub(crate) fn new(kind: &'static str, options: PgConnectOptions, count: usize, inquiry: Arc<Inquiry>) -> Arc<Self> {
        let most = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
        metrics::gauge!("pavise_database_connections", "kind" => kind).set(most);
        metrics::gauge!("pavise_database_connections_in_use", "kind" => kind).set(0);
        Arc::new(Self { kind, options, turns: Arc::new(Semaphore::new(count.max(1))), idle: Mutex::default(), inquiry })
    }

    /// Runs a job that writes: once, to its end.
    pub(crate) async fn write<T, F>(self: &Arc<Self>, job: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut PgConnection) -> Job<'c, T> + Send + 'static,
    {
        let connections = Arc::clone(self);
        finished(tokio::spawn(async move {
            let _turn = connections.turn().await?;
            let live = connections.live().await?;
            connections.run(live, job).await.map_err(StoreError::from)
        }))
        .await
    }

    /// Runs a job that only reads. If its connection turns out to be lost, it runs again on a fresh one.
    pub(crate) async fn read<T, F>(self: &Arc<Self>, job: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> Fn(&'c mut PgConnection) -> Job<'c, T> + Send + Sync + 'static,
    {
        let connections = Arc::clone(self);
        finished(tokio::spawn(async move {
            let _turn = connections.turn().await?;
            let kept = connections.idle().pop();
            if let Some(kept) = kept {
                match connections.run(kept.live, &job).await {
                    Err(fault) if fault.is_of_connection() => {}
                    answer => return answer.map_err(StoreError::from),
                }
            }
            let live = connect(&connections.options).await?;
            connections.run(live, &job).await.map_err(StoreError::from)
        }))
        .await
    }

    async fn run<T, F>(&self, mut live: Live, job: F) -> Result<T, Fault>
    where
        F: for<'c> FnOnce(&'c mut PgConnection) -> Job<'c, T>,
    {
        let unanswered = || Err(Fault::During(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())));
        let answer = tokio::select! {
            biased;
            answer = timeout(DEADLINE, job(&mut live.connection)) => answer.unwrap_or_else(|_| unanswered()),
            () = self.inquiry.lost(live.backend) => unanswered(),
        };
        match &answer {
            Ok(_) => self.idle().push(Idle { live, since: Instant::now() }),
            // When one connection is lost, the others very likely are lost, too.
            Err(fault) if fault.is_of_connection() => self.idle().clear(),
            Err(_) => {}
        }
        answer
    }

    async fn turn(&self) -> Result<Turn, StoreError> {
        match timeout(TURN, Arc::clone(&self.turns).acquire_owned()).await {
            Ok(Ok(permit)) => Ok(Turn::begin(permit, self.kind)),
            Ok(Err(_)) | Err(_) => Err(StoreError { cause: "all connections are in use".to_owned(), unknown: false }),
        }
    }

    /// A connection that answers.
    async fn live(&self) -> Result<Live, StoreError> {
        let kept = self.idle().pop();
        if let Some(Idle { mut live, since }) = kept {
            if since.elapsed() < PAUSE || matches!(timeout(PING, live.connection.ping()).await, Ok(Ok(()))) {
                return Ok(live);
            }
            self.idle().clear();
        }
        connect(&self.options).await
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn finished<T>(task: tokio::task::JoinHandle<Result<T, StoreError>>) -> Result<T, StoreError> {
    task.await.unwrap_or_else(|error| Err(StoreError { cause: error.to_string(), unknown: true }))
}
