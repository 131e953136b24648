//! Connections, kept by the engine itself.
//!
//! A job runs in a task of its own and has its connection to itself until it is done: a caller who goes away leaves
//! neither a transaction nor half an answer behind. A connection on which anything failed is closed, not mended.
//! sqlx's pool does a round trip whenever a connection comes back, which a lone writer would pay for at each commit.
//!
//! A network may swallow a statement or its answer and tell nobody. A job that is not answered soon therefore asks the
//! server, over another connection, whether it is at work for it: see [`Inquiry`].

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pavise_kernel::store::StoreError;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgDatabaseError, PgSeverity};
use sqlx::{ConnectOptions, Connection};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::inquiry::Inquiry;

/// How long a job waits for its turn.
const TURN: Duration = Duration::from_secs(5);
/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(3);
/// While a connection is being made, another is begun so often: the network may have swallowed the first.
const ANOTHER: Duration = Duration::from_millis(250);
/// How long a connection that was idle may take to say that it is there.
const PING: Duration = Duration::from_millis(500);
/// How long a job may take: longer than the server lets any statement run, so that only a silent server meets it.
const DEADLINE: Duration = Duration::from_secs(20);
/// After so long a pause the server may have gone away unnoticed.
const PAUSE: Duration = Duration::from_secs(1);

/// Work on a connection.
pub(crate) type Job<'c, T> = Pin<Box<dyn Future<Output = Result<T, Fault>> + Send + 'c>>;

/// Why work on a connection failed.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Nothing was written.
    Before(sqlx::Error),
    /// It failed where it may have been committed.
    During(sqlx::Error),
}

impl From<sqlx::Error> for Fault {
    fn from(error: sqlx::Error) -> Self {
        Self::Before(error)
    }
}

impl Fault {
    /// The failure of a statement that commits. The server says so when it has not; a lost connection says nothing.
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

/// What the server answered, when it did.
pub(crate) fn database_error(error: &sqlx::Error) -> Option<&PgDatabaseError> {
    error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>())
}

/// Connections to one server, the one that was used last first.
#[derive(Debug)]
pub(crate) struct Connections {
    /// What they are for: `read` or `write`.
    kind: &'static str,
    options: PgConnectOptions,
    turns: Arc<Semaphore>,
    idle: Mutex<Vec<Idle>>,
    inquiry: Arc<Inquiry>,
}

/// A connection, and the server's process behind it.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) connection: PgConnection,
    pub(crate) backend: i32,
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
    /// At most `count` at once; none is made yet.
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

    /// Runs a job that only reads: again on a fresh connection when the first turns out to be lost.
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
            // When one connection is lost, the others very likely are too.
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

/// Makes a connection: the first that comes about of several, where one takes long.
pub(crate) async fn connect(options: &PgConnectOptions) -> Result<Live, StoreError> {
    let failed = |cause: String| StoreError { cause, unknown: false };
    let mut attempts = JoinSet::new();
    let several = async {
        loop {
            attempts.spawn(attempt(options.clone()));
            tokio::select! {
                Some(made) = attempts.join_next() => return made,
                () = sleep(ANOTHER) => {}
            }
        }
    };
    match timeout(CONNECT, several).await {
        Ok(Ok(Ok(live))) => Ok(live),
        Ok(Ok(Err(error))) => Err(failed(error.to_string())),
        Ok(Err(error)) => Err(failed(error.to_string())),
        Err(_) => Err(failed("no connection in time".to_owned())),
    }
}

async fn attempt(options: PgConnectOptions) -> sqlx::Result<Live> {
    let mut connection = options.connect().await?;
    let backend = sqlx::query_scalar("SELECT pg_backend_pid()").persistent(false).fetch_one(&mut connection).await?;
    Ok(Live { connection, backend })
}

async fn finished<T>(task: tokio::task::JoinHandle<Result<T, StoreError>>) -> Result<T, StoreError> {
    task.await.unwrap_or_else(|error| Err(StoreError { cause: error.to_string(), unknown: true }))
}
