//! Connections, kept by the engine itself.
//!
//! A job runs in a task of its own and has its connection to itself until it is done: a caller who goes away leaves
//! neither a transaction nor half an answer behind. A connection on which anything failed is closed, not mended.
//! sqlx's pool does a round trip whenever a connection comes back, which a lone writer would pay for at each commit.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pavise_kernel::store::StoreError;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgDatabaseError, PgSeverity};
use sqlx::{ConnectOptions, Connection};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// How long a job waits for its turn.
const TURN: Duration = Duration::from_secs(5);
/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(3);
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
    options: PgConnectOptions,
    turns: Arc<Semaphore>,
    idle: Mutex<Vec<Idle>>,
}

#[derive(Debug)]
struct Idle {
    connection: PgConnection,
    since: Instant,
}

impl Connections {
    /// At most `count` at once; none is made yet.
    pub(crate) fn new(options: PgConnectOptions, count: usize) -> Arc<Self> {
        Arc::new(Self { options, turns: Arc::new(Semaphore::new(count.max(1))), idle: Mutex::default() })
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
            let connection = connections.live().await?;
            connections.run(connection, job).await.map_err(StoreError::from)
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
                match connections.run(kept.connection, &job).await {
                    Err(fault) if fault.is_of_connection() => {}
                    answer => return answer.map_err(StoreError::from),
                }
            }
            let connection = connections.connect().await?;
            connections.run(connection, &job).await.map_err(StoreError::from)
        }))
        .await
    }

    async fn run<T, F>(&self, mut connection: PgConnection, job: F) -> Result<T, Fault>
    where
        F: for<'c> FnOnce(&'c mut PgConnection) -> Job<'c, T>,
    {
        let answer = match timeout(DEADLINE, job(&mut connection)).await {
            Ok(answer) => answer,
            Err(_) => Err(Fault::During(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()))),
        };
        match &answer {
            Ok(_) => self.idle().push(Idle { connection, since: Instant::now() }),
            // When one connection is lost, the others very likely are too.
            Err(fault) if fault.is_of_connection() => self.idle().clear(),
            Err(_) => {}
        }
        answer
    }

    async fn turn(&self) -> Result<tokio::sync::OwnedSemaphorePermit, StoreError> {
        match timeout(TURN, Arc::clone(&self.turns).acquire_owned()).await {
            Ok(Ok(turn)) => Ok(turn),
            Ok(Err(_)) | Err(_) => Err(StoreError { cause: "all connections are in use".to_owned(), unknown: false }),
        }
    }

    /// A connection that answers.
    async fn live(&self) -> Result<PgConnection, StoreError> {
        let kept = self.idle().pop();
        if let Some(Idle { mut connection, since }) = kept {
            if since.elapsed() < PAUSE || matches!(timeout(CONNECT, connection.ping()).await, Ok(Ok(()))) {
                return Ok(connection);
            }
            self.idle().clear();
        }
        self.connect().await
    }

    async fn connect(&self) -> Result<PgConnection, StoreError> {
        let cause = match timeout(CONNECT, self.options.connect()).await {
            Ok(Ok(connection)) => return Ok(connection),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "no connection in time".to_owned(),
        };
        Err(StoreError { cause, unknown: false })
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn finished<T>(task: tokio::task::JoinHandle<Result<T, StoreError>>) -> Result<T, StoreError> {
    task.await.unwrap_or_else(|error| Err(StoreError { cause: error.to_string(), unknown: true }))
}
