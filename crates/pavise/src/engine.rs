//! Opens the database of an URL. Only this module knows both engines.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use pavise_kernel::migrations::Migrations;
use pavise_kernel::sealed::KeyStore;
use pavise_kernel::store::Store;
use pavise_kernel_postgres::{PostgresKeys, PostgresStore};
use pavise_kernel_sqlite::{SqliteKeys, SqliteStore};

/// Opens the database and brings the tables of these domains up to date.
///
/// # Errors
/// When the URL is not one of the two kinds, or the database does not answer.
pub async fn open(url: &str, connections: usize, migrations: &[&Migrations]) -> anyhow::Result<Arc<dyn Store>> {
    let (store, _) = engine(url, connections, migrations, &[]).await?;
    Ok(store)
}

/// Opens an existing database for reading, and names the domains whose tables it has. No domain's tables are made or
/// changed.
///
/// # Errors
/// When there is no such database, the URL is not one of the two kinds, or the database does not answer.
pub async fn look(url: &str, domains: &[&Migrations]) -> anyhow::Result<(Arc<dyn Store>, Vec<String>)> {
    if sqlite_file(url).is_some_and(|file| !file.exists()) {
        bail!("there is no database {url}");
    }
    let (store, present) = engine(url, 4, &[], domains).await?;
    Ok((store, present.into_iter().map(str::to_owned).collect()))
}

/// The key database of the URL. It is opened when it is first used.
///
/// # Errors
/// When the URL is not one of the two kinds.
pub fn keys(url: &str) -> anyhow::Result<Arc<dyn KeyStore>> {
    if let Some(file) = sqlite_file(url) {
        return Ok(Arc::new(SqliteKeys::new(file)));
    }
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return Ok(Arc::new(PostgresKeys::new(url).context("--key-database")?));
    }
    bail!("--key-database {url}: write sqlite://FILE or postgres://USER@HOST/NAME")
}

/// The key database beside a database: a file of the same name, or a schema of its own.
#[must_use]
pub fn keys_beside(url: &str) -> String {
    match sqlite_file(url) {
        Some(file) => format!("sqlite://{}", file.with_extension("keys").display()),
        None => url.to_owned(),
    }
}

/// Closes a database at the end of a command. Failed maintenance is repeated at the next start, and is no error.
pub async fn close(store: &Arc<dyn Store>) {
    if let Err(error) = store.close().await {
        tracing::warn!(cause = %error, "the database was left as it was: what was written last stays in its log beside it");
    }
}

/// The engine of the URL, with these migrations applied, and the domains of `asked` whose tables it has.
async fn engine(
    url: &str,
    connections: usize,
    migrations: &[&Migrations],
    asked: &[&Migrations],
) -> anyhow::Result<(Arc<dyn Store>, Vec<&'static str>)> {
    if let Some(file) = sqlite_file(url) {
        if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("the folder {} cannot be made", folder.display()))?;
        }
        let store = SqliteStore::open(&file, migrations)
            .await
            .with_context(|| format!("the database {} cannot be opened", file.display()))?;
        let present = store.present(asked).await?;
        return Ok((Arc::new(store), present));
    }
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        let store = PostgresStore::connect(url, connections, migrations)
            .await
            .context("the PostgreSQL database cannot be opened")?;
        let present = store.present(asked).await?;
        return Ok((Arc::new(store), present));
    }
    bail!("--database {url}: write sqlite://FILE or postgres://USER@HOST/NAME")
}

/// The file of an SQLite URL.
#[must_use]
pub fn sqlite_file(url: &str) -> Option<PathBuf> {
    url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:")).map(PathBuf::from)
}
