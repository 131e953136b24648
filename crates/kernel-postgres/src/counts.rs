//! The counts that all processes share. Their table is not logged: a crash of the server empties it.

use pavise_kernel::store::{CountChange, Decay, SharedCount};
use sqlx::Row as _;
use sqlx::postgres::PgConnection;

use crate::connections::Fault;

/// Applies the changes in one transaction, and answers the counts that are not nothing. Rows are locked in the order of
/// their keys, so that processes do not block each other.
pub(crate) async fn share(connection: &mut PgConnection, changes: &[CountChange]) -> Result<Vec<SharedCount>, Fault> {
    let mut changes: Vec<&CountChange> = changes.iter().collect();
    changes.sort_by(|one, other| one.key.cmp(&other.key));
    if changes.iter().all(|change| change.add == 0 && !change.reset) {
        return read(connection, &changes).await;
    }
    sqlx::raw_sql("BEGIN").execute(&mut *connection).await?;
    delete(connection, &changes).await?;
    add_steady(connection, &changes).await?;
    add_lasting(connection, &changes).await?;
    let counts = read(connection, &changes).await?;
    sqlx::raw_sql("COMMIT").execute(connection).await.map_err(Fault::of_commit)?;
    Ok(counts)
}

/// Deletes the counts that begin again, and some that are forgotten.
async fn delete(connection: &mut PgConnection, changes: &[&CountChange]) -> Result<(), Fault> {
    let forgotten = "DELETE FROM shared_count WHERE key IN (SELECT key FROM shared_count \
         WHERE forget_at <= (extract(epoch FROM clock_timestamp()) * 1000000)::bigint LIMIT 1000 FOR UPDATE SKIP LOCKED)";
    sqlx::query(forgotten).execute(&mut *connection).await?;
    let resets: Vec<&str> = changes.iter().filter(|change| change.reset).map(|change| change.key.as_str()).collect();
    if !resets.is_empty() {
        let sql = "DELETE FROM shared_count WHERE key = ANY($1::text[])";
        sqlx::query(sql).bind(resets).execute(connection).await?;
    }
    Ok(())
}

/// Adds to counts that fall steadily: each addition is as much time.
async fn add_steady(connection: &mut PgConnection, changes: &[&CountChange]) -> Result<(), Fault> {
    let steady = changes.iter().filter(|change| change.add > 0 && change.decay == Decay::Steady);
    let (keys, adds): (Vec<&str>, Vec<i64>) = steady.map(|change| (change.key.as_str(), change.add)).unzip();
    if keys.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO shared_count AS c (key, count, added_at, forget_at) SELECT u.key, u.add, n.at, n.at + u.add \
         FROM unnest($1::text[], $2::bigint[]) AS u (key, add), \
         (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS at OFFSET 0) n ORDER BY u.key \
         ON CONFLICT (key) DO UPDATE SET added_at = excluded.added_at, \
         count = CASE WHEN c.forget_at <= excluded.added_at THEN 0 ELSE c.count END + excluded.count, \
         forget_at = greatest(c.forget_at, excluded.added_at) + excluded.forget_at - excluded.added_at",
    )
    .bind(keys)
    .bind(adds)
    .execute(connection)
    .await?;
    Ok(())
}

/// Adds to counts that last for a time after each addition.
async fn add_lasting(connection: &mut PgConnection, changes: &[&CountChange]) -> Result<(), Fault> {
    let (mut keys, mut adds, mut lasting) = (Vec::new(), Vec::new(), Vec::new());
    for change in changes.iter().filter(|change| change.add != 0) {
        let Decay::After(lasts) = change.decay else { continue };
        keys.push(change.key.as_str());
        adds.push(change.add);
        lasting.push(lasts);
    }
    if keys.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO shared_count AS c (key, count, added_at, forget_at) SELECT u.key, u.add, n.at, n.at + u.lasts \
         FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS u (key, add, lasts), \
         (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS at OFFSET 0) n ORDER BY u.key \
         ON CONFLICT (key) DO UPDATE SET \
         count = greatest(0, CASE WHEN c.forget_at <= excluded.added_at THEN 0 ELSE greatest(c.count, 0) END + excluded.count), \
         added_at = CASE WHEN excluded.count > 0 THEN excluded.added_at ELSE c.added_at END, \
         forget_at = CASE WHEN excluded.count > 0 THEN excluded.forget_at ELSE c.forget_at END",
    )
    .bind(keys)
    .bind(adds)
    .bind(lasting)
    .execute(connection)
    .await?;
    Ok(())
}

async fn read(connection: &mut PgConnection, changes: &[&CountChange]) -> Result<Vec<SharedCount>, Fault> {
    let keys: Vec<&str> = changes.iter().map(|change| change.key.as_str()).collect();
    let sql = "SELECT key, count, added_at, forget_at, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint \
         FROM shared_count WHERE key = ANY($1::text[])";
    let rows = sqlx::query(sql).bind(keys).fetch_all(connection).await?;
    let mut counts = Vec::with_capacity(rows.len());
    for row in rows {
        let key: String = row.try_get(0)?;
        let (count, added_at, forget_at, now): (i64, i64, i64, i64) =
            (row.try_get(1)?, row.try_get(2)?, row.try_get(3)?, row.try_get(4)?);
        let left = forget_at.saturating_sub(now);
        if left > 0 && count > 0 {
            counts.push(SharedCount { key, count, left, age: now.saturating_sub(added_at).max(0) });
        }
    }
    Ok(counts)
}
