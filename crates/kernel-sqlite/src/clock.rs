//! The test clock of the database, and the workers that it waits for.

use pavise_kernel::store::{ClockDay, ClockRow, WorkerTick};
use sqlx::sqlite::{SqlitePool, SqliteRow};
use sqlx::{Row as _, SqliteConnection};

use crate::fault::Fault;

pub(crate) async fn row(pool: &SqlitePool) -> sqlx::Result<Option<ClockRow>> {
    let sql = "SELECT version, ahead, began, started, target, settled, heads FROM test_clock";
    let row = sqlx::query(sql).fetch_optional(pool).await?;
    row.map(|row| {
        Ok(ClockRow {
            version: row.try_get(0)?,
            offset: row.try_get(1)?,
            began: row.try_get(2)?,
            started: row.try_get(3)?,
            target: row.try_get(4)?,
            settled: row.try_get(5)?,
            heads: row.try_get(6)?,
        })
    })
    .transpose()
}

/// Puts the next version of the row, and a day that is over, in one transaction; whether it was the next version.
pub(crate) async fn put(
    connection: &mut SqliteConnection,
    row: &ClockRow,
    day: Option<&ClockDay>,
) -> Result<bool, Fault> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let done = sqlx::query(
        "INSERT INTO test_clock (id, version, ahead, began, started, target, settled, heads) SELECT 1, ?1, ?2, ?3, ?4, ?5, ?6, ?7 \
         WHERE ?1 = 1 OR EXISTS (SELECT 1 FROM test_clock) ON CONFLICT (id) DO UPDATE SET version = excluded.version, \
         ahead = excluded.ahead, began = excluded.began, started = excluded.started, target = excluded.target, settled = excluded.settled, \
         heads = excluded.heads WHERE test_clock.version = excluded.version - 1 AND test_clock.ahead <= excluded.ahead",
    )
    .bind(row.version)
    .bind(row.offset)
    .bind(row.began)
    .bind(row.started)
    .bind(row.target)
    .bind(row.settled)
    .bind(&row.heads)
    .execute(&mut *connection)
    .await?;
    let is_next = done.rows_affected() == 1;
    if let Some(day) = day.filter(|_| is_next) {
        let sql = "INSERT INTO test_clock_day (ahead, figures) VALUES (?1, ?2) \
                   ON CONFLICT (ahead) DO UPDATE SET figures = excluded.figures";
        sqlx::query(sql).bind(day.offset).bind(&day.figures).execute(&mut *connection).await?;
    }
    sqlx::query("COMMIT").execute(connection).await.map_err(Fault::During)?;
    Ok(is_next)
}

pub(crate) async fn days(pool: &SqlitePool, after: i64) -> sqlx::Result<Vec<ClockDay>> {
    let sql = "SELECT ahead, figures FROM test_clock_day WHERE ahead > ?1 ORDER BY ahead";
    let rows = sqlx::query(sql).bind(after).fetch_all(pool).await?;
    let day = |row: &SqliteRow| Ok(ClockDay { offset: row.try_get(0)?, figures: row.try_get(1)? });
    rows.iter().map(day).collect()
}

pub(crate) async fn is_unused(pool: &SqlitePool) -> sqlx::Result<bool> {
    let sql = "SELECT NOT EXISTS (SELECT 1 FROM worker_cursor) AND NOT EXISTS (SELECT 1 FROM worker_lease)";
    sqlx::query_scalar(sql).fetch_one(pool).await
}

pub(crate) async fn ticks(pool: &SqlitePool) -> sqlx::Result<Vec<WorkerTick>> {
    let rows = sqlx::query("SELECT worker, journal, ahead FROM worker_tick ORDER BY worker").fetch_all(pool).await?;
    let tick =
        |row: &SqliteRow| Ok(WorkerTick { worker: row.try_get(0)?, journal: row.try_get(1)?, offset: row.try_get(2)? });
    rows.iter().map(tick).collect()
}

/// Replaces the workers of these domains. One that was there keeps its tick.
pub(crate) async fn set_workers(
    connection: &mut SqliteConnection,
    domains: &[String],
    workers: &[WorkerTick],
) -> Result<(), Fault> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let names: Vec<&str> = workers.iter().map(|worker| worker.worker.as_str()).collect();
    sqlx::query(
        "DELETE FROM worker_tick WHERE substr(worker, 1, instr(worker, '.') - 1) IN (SELECT value FROM json_each(?1)) \
         AND worker NOT IN (SELECT value FROM json_each(?2))",
    )
    .bind(serde_json::to_string(domains).unwrap_or_default())
    .bind(serde_json::to_string(&names).unwrap_or_default())
    .execute(&mut *connection)
    .await?;
    for worker in workers {
        let sql = "INSERT INTO worker_tick (worker, journal, ahead) VALUES (?1, ?2, ?3) \
                   ON CONFLICT (worker) DO UPDATE SET journal = excluded.journal";
        sqlx::query(sql)
            .bind(&worker.worker)
            .bind(&worker.journal)
            .bind(worker.offset)
            .execute(&mut *connection)
            .await?;
    }
    sqlx::query("COMMIT").execute(connection).await.map_err(Fault::During)?;
    Ok(())
}

pub(crate) async fn record_tick(connection: &mut SqliteConnection, worker: &str, offset: i64) -> Result<(), Fault> {
    sqlx::query("UPDATE worker_tick SET ahead = ?2 WHERE worker = ?1 AND ahead < ?2")
        .bind(worker)
        .bind(offset)
        .execute(connection)
        .await?;
    Ok(())
}
