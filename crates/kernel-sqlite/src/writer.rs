//! The only connection that writes.

use std::path::Path;
use std::sync::Arc;

use pavise_kernel::store::StoreError;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection as _, SqliteConnection};
use tokio::sync::Mutex;

use crate::fault::{Fault, Job};
use crate::work;

/// How long closing waits for other processes that use the file, in milliseconds.
const OTHERS: &str = "PRAGMA busy_timeout = 1000";

/// The connection, and the options to open another one.
#[derive(Debug)]
pub(crate) struct Writer {
    options: SqliteConnectOptions,
    /// Empty while in use, and after a failure: closing the connection is the only sure way to end its transaction.
    connection: Mutex<Option<SqliteConnection>>,
}

impl Writer {
    pub(crate) fn new(options: SqliteConnectOptions, connection: SqliteConnection) -> Self {
        Self { options, connection: Mutex::new(Some(connection)) }
    }

    pub(crate) fn file(&self) -> &Path {
        self.options.get_filename()
    }

    /// Runs `job` in a task of its own, which runs to its end even if the caller is dropped.
    pub(crate) async fn write<T, F>(self: &Arc<Self>, job: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut SqliteConnection) -> Job<'c, T> + Send + 'static,
    {
        let writer = Arc::clone(self);
        let done = tokio::spawn(async move {
            let mut slot = writer.connection.lock().await;
            let mut connection = match slot.take() {
                Some(connection) => connection,
                None => writer.options.connect().await?,
            };
            let answer = job(&mut connection).await?;
            *slot = Some(connection);
            Ok::<T, Fault>(answer)
        });
        match done.await {
            Ok(answer) => answer.map_err(StoreError::from),
            Err(error) => Err(StoreError { cause: error.to_string(), unknown: true }),
        }
    }

    /// Copies the write-ahead log into the file, empties it and closes the connection. SQLite removes the log with the
    /// last connection of all processes.
    pub(crate) async fn close(&self) -> Result<(), sqlx::Error> {
        let mut slot = self.connection.lock().await;
        let mut connection = match slot.take() {
            Some(connection) => connection,
            None => self.options.connect().await?,
        };
        // Pages that another process is reading stay in the log. That is no failure: the process copies them when it
        // ends.
        sqlx::query(OTHERS).execute(&mut connection).await?;
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await?;
        connection.close().await
    }

    /// Gives a journal without writes its epoch.
    pub(crate) async fn begin_journal(self: &Arc<Self>, journal: &str) -> Result<(), StoreError> {
        let journal = journal.to_owned();
        self.write(move |connection| Box::pin(async move { work::begin_journal(connection, &journal).await })).await
    }
}
