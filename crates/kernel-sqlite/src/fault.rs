//! Work on the connection, and why it fails.

use std::pin::Pin;

use pavise_kernel::store::StoreError;

/// Work on the connection.
pub(crate) type Job<'c, T> = Pin<Box<dyn Future<Output = Result<T, Fault>> + Send + 'c>>;

/// The reason why work on the connection failed.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Before the commit: nothing was written.
    Before(sqlx::Error),
    /// During the commit: the result is unknown.
    During(sqlx::Error),
}

impl From<sqlx::Error> for Fault {
    fn from(error: sqlx::Error) -> Self {
        Self::Before(error)
    }
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Before(error) => Self { cause: error.to_string(), unknown: false },
            Fault::During(error) => Self { cause: error.to_string(), unknown: true },
        }
    }
}
