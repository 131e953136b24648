//! The counts that all processes share. The statements read the clock themselves: all processes of the file are on one
//! machine.

use pavise_kernel::store::{CountChange, Decay, SharedCount};
use sqlx::{Row as _, SqliteConnection};

use crate::fault::Fault;

/// Applies the changes in one transaction, and answers the counts that are not nothing.
pub(crate) async fn share(
    connection: &mut SqliteConnection,
    changes: &[CountChange],
) -> Result<Vec<SharedCount>, Fault> {
    if changes.iter().all(|change| change.add == 0 && !change.reset) {
        return read(connection, changes).await;
    }
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let forgotten = "DELETE FROM shared_count WHERE key IN (SELECT key FROM shared_count \
         WHERE forget_at <= CAST(unixepoch('subsec') * 1000000 AS INTEGER) LIMIT 1000)";
    sqlx::query(forgotten).execute(&mut *connection).await?;
    for change in changes {
        apply(connection, change).await?;
    }
    let counts = read(connection, changes).await?;
    sqlx::query("COMMIT").execute(connection).await.map_err(Fault::During)?;
    Ok(counts)
}

/// Applies one change. For a count that falls steadily, the addition is as much time.
async fn apply(connection: &mut SqliteConnection, change: &CountChange) -> Result<(), Fault> {
    if change.reset {
        sqlx::query("DELETE FROM shared_count WHERE key = ?1").bind(&change.key).execute(&mut *connection).await?;
    }
    let sql = match change.decay {
        _ if change.add == 0 => return Ok(()),
        Decay::Steady => {
            "INSERT INTO shared_count (key, count, added_at, forget_at) SELECT ?1, ?2, at, at + ?2 \
             FROM (SELECT CAST(unixepoch('subsec') * 1000000 AS INTEGER) AS at) WHERE ?3 = 0 \
             ON CONFLICT (key) DO UPDATE SET added_at = excluded.added_at, \
             count = CASE WHEN shared_count.forget_at <= excluded.added_at THEN 0 ELSE shared_count.count END + ?2, \
             forget_at = max(shared_count.forget_at, excluded.added_at) + ?2"
        }
        Decay::After(_) => {
            "INSERT INTO shared_count (key, count, added_at, forget_at) SELECT ?1, ?2, at, at + ?3 \
             FROM (SELECT CAST(unixepoch('subsec') * 1000000 AS INTEGER) AS at) WHERE true \
             ON CONFLICT (key) DO UPDATE SET count = max(0, CASE WHEN shared_count.forget_at <= excluded.added_at THEN 0 \
             ELSE max(shared_count.count, 0) END + ?2), \
             added_at = CASE WHEN ?2 > 0 THEN excluded.added_at ELSE shared_count.added_at END, \
             forget_at = CASE WHEN ?2 > 0 THEN excluded.forget_at ELSE shared_count.forget_at END"
        }
    };
    let lasts = match change.decay {
        Decay::Steady => 0,
        Decay::After(lasts) => lasts,
    };
    sqlx::query(sql).bind(&change.key).bind(change.add).bind(lasts).execute(connection).await?;
    Ok(())
}

async fn read(connection: &mut SqliteConnection, changes: &[CountChange]) -> Result<Vec<SharedCount>, Fault> {
    let mut counts = Vec::new();
    for change in changes {
        let sql = "SELECT count, added_at, forget_at, CAST(unixepoch('subsec') * 1000000 AS INTEGER) \
             FROM shared_count WHERE key = ?1";
        let Some(row) = sqlx::query(sql).bind(&change.key).fetch_optional(&mut *connection).await? else { continue };
        let (count, added_at, forget_at, now): (i64, i64, i64, i64) =
            (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
        let left = forget_at.saturating_sub(now);
        if left > 0 && count > 0 {
            let age = now.saturating_sub(added_at).max(0);
            counts.push(SharedCount { key: change.key.clone(), count, left, age });
        }
    }
    Ok(counts)
}
