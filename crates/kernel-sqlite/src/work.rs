//! The engine's own tables: counters, leases, cursors, what was set aside.

use pavise_kernel::store::{Cursor, SetAside};
use sqlx::sqlite::{SqlitePool, SqliteRow};
use sqlx::{AssertSqlSafe, Row as _, SqliteConnection};

use crate::writer::Fault;

/// How many idempotency records are forgotten at once, so that the writer is soon free again.
const FORGOTTEN: i64 = 1_000;

pub(crate) async fn begin_journal(connection: &mut SqliteConnection, journal: &str) -> Result<(), Fault> {
    sqlx::query(
        "INSERT INTO journal_counter (journal, clock, epoch) VALUES (?1, 0, lower(hex(randomblob(16)))) ON CONFLICT DO NOTHING",
    )
    .bind(journal)
    .execute(connection)
    .await?;
    Ok(())
}

pub(crate) async fn lease(
    connection: &mut SqliteConnection,
    name: &str,
    holder: &str,
    now: i64,
    until: i64,
) -> Result<bool, Fault> {
    let done = sqlx::query(
        "INSERT INTO worker_lease (name, holder, until) VALUES (?1, ?2, ?4) ON CONFLICT (name) \
         DO UPDATE SET holder = excluded.holder, until = excluded.until \
         WHERE worker_lease.holder = excluded.holder OR worker_lease.until <= ?3",
    )
    .bind(name)
    .bind(holder)
    .bind(now)
    .bind(until)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub(crate) async fn release(connection: &mut SqliteConnection, name: &str, holder: &str) -> Result<(), Fault> {
    sqlx::query("DELETE FROM worker_lease WHERE name = ?1 AND holder = ?2").bind(name).bind(holder).execute(connection).await?;
    Ok(())
}

pub(crate) async fn cursor(pool: &SqlitePool, worker: &str) -> sqlx::Result<Cursor> {
    let row = sqlx::query("SELECT clock, epoch FROM worker_cursor WHERE worker = ?1").bind(worker).fetch_optional(pool).await?;
    row.map_or_else(|| Ok(Cursor::default()), |row| Ok(Cursor { clock: row.try_get(0)?, epoch: row.try_get(1)? }))
}

pub(crate) async fn advance(
    connection: &mut SqliteConnection,
    worker: &str,
    holder: &str,
    cursor: &Cursor,
    aside: &[SetAside],
) -> Result<bool, Fault> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let done = sqlx::query(
        "INSERT INTO worker_cursor (worker, clock, epoch) SELECT name, ?3, ?4 FROM worker_lease WHERE name = ?1 AND holder = ?2 \
         ON CONFLICT (worker) DO UPDATE SET clock = excluded.clock, epoch = excluded.epoch",
    )
    .bind(worker)
    .bind(holder)
    .bind(cursor.clock)
    .bind(&cursor.epoch)
    .execute(&mut *connection)
    .await?;
    let held = done.rows_affected() == 1;
    if held {
        for entry in aside {
            sqlx::query(
                "INSERT INTO worker_aside (worker, clock, entity_id, attempts, next_at, cause, parked, entry) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (worker, clock) DO UPDATE SET \
                 attempts = excluded.attempts, next_at = excluded.next_at, cause = excluded.cause, parked = excluded.parked",
            )
            .bind(&entry.worker)
            .bind(entry.clock)
            .bind(&entry.entity_id)
            .bind(entry.attempts)
            .bind(entry.next_at)
            .bind(&entry.cause)
            .bind(entry.parked)
            .bind(&entry.entry)
            .execute(&mut *connection)
            .await?;
        }
    }
    sqlx::query("COMMIT").execute(connection).await.map_err(Fault::During)?;
    Ok(held)
}

pub(crate) async fn set_aside(pool: &SqlitePool, worker: &str, limit: u32) -> sqlx::Result<Vec<SetAside>> {
    let rows = sqlx::query(
        "SELECT worker, clock, entity_id, attempts, next_at, cause, parked, entry FROM worker_aside \
         WHERE ?1 = '' OR worker = ?1 ORDER BY clock, worker LIMIT ?2",
    )
    .bind(worker)
    .bind(limit)
    .fetch_all(pool)
    .await?;
    rows.iter().map(aside_of).collect()
}

fn aside_of(row: &SqliteRow) -> sqlx::Result<SetAside> {
    Ok(SetAside {
        worker: row.try_get(0)?,
        clock: row.try_get(1)?,
        entity_id: row.try_get(2)?,
        attempts: row.try_get(3)?,
        next_at: row.try_get(4)?,
        cause: row.try_get(5)?,
        parked: row.try_get(6)?,
        entry: row.try_get(7)?,
    })
}

pub(crate) async fn retry(connection: &mut SqliteConnection, entry: &SetAside) -> Result<(), Fault> {
    sqlx::query("UPDATE worker_aside SET attempts = ?3, next_at = ?4, cause = ?5, parked = ?6 WHERE worker = ?1 AND clock = ?2")
        .bind(&entry.worker)
        .bind(entry.clock)
        .bind(entry.attempts)
        .bind(entry.next_at)
        .bind(&entry.cause)
        .bind(entry.parked)
        .execute(connection)
        .await?;
    Ok(())
}

pub(crate) async fn settle(connection: &mut SqliteConnection, worker: &str, clock: i64) -> Result<(), Fault> {
    sqlx::query("DELETE FROM worker_aside WHERE worker = ?1 AND clock = ?2").bind(worker).bind(clock).execute(connection).await?;
    Ok(())
}

pub(crate) async fn forget(connection: &mut SqliteConnection, journal: &str, before: i64) -> Result<u64, Fault> {
    let sql = format!(
        "DELETE FROM \"{journal}_idempotency\" WHERE key IN \
         (SELECT key FROM \"{journal}_idempotency\" WHERE at < ?1 ORDER BY at LIMIT {FORGOTTEN})"
    );
    Ok(sqlx::query(AssertSqlSafe(sql)).bind(before).execute(connection).await?.rows_affected())
}
