//! Opens connections.

use std::time::Duration;

use pavise_kernel::store::StoreError;
use sqlx::ConnectOptions as _;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// The deadline for opening a connection.
const CONNECT: Duration = Duration::from_secs(3);
/// Time after which another connection is tried while one is opening, because the network may have lost the first.
const ANOTHER: Duration = Duration::from_millis(250);

/// A connection, and the server's process behind it.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) connection: PgConnection,
    pub(crate) backend: i32,
}

/// Opens a connection. If that takes long, several are tried, and the first to open is used.
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
