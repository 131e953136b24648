//! The test clock of the database, and the workers that it waits for.

use pavise_kernel::store::{ClockDay, ClockRow, WorkerTick};
use sqlx::Row as _;
use sqlx::postgres::{PgConnection, PgRow};

use crate::connections::Fault;

pub(crate) async fn row(connection: &mut PgConnection) -> sqlx::Result<Option<ClockRow>> {
    let sql = "SELECT version, ahead, began, started, target, settled, heads FROM test_clock";
    let row = sqlx::query(sql).fetch_optional(connection).await?;
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
pub(crate) async fn put(connection: &mut PgConnection, row: &ClockRow, day: Option<&ClockDay>) -> Result<bool, Fault> {
    sqlx::raw_sql("BEGIN").execute(&mut *connection).await?;
    let done = sqlx::query(
        "INSERT INTO test_clock (id, version, ahead, began, started, target, settled, heads) \
         SELECT 1, $1::bigint, $2::bigint, $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::text \
         WHERE $1 = 1 OR EXISTS (SELECT 1 FROM test_clock) ON CONFLICT (id) DO UPDATE SET version = excluded.version, \
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
        let sql = "INSERT INTO test_clock_day (ahead, figures) VALUES ($1, $2) \
                   ON CONFLICT (ahead) DO UPDATE SET figures = excluded.figures";
        sqlx::query(sql).bind(day.offset).bind(&day.figures).execute(&mut *connection).await?;
    }
    sqlx::raw_sql("COMMIT").execute(connection).await.map_err(Fault::of_commit)?;
    Ok(is_next)
}

pub(crate) async fn days(connection: &mut PgConnection, after: i64) -> sqlx::Result<Vec<ClockDay>> {
    let sql = "SELECT ahead, figures FROM test_clock_day WHERE ahead > $1 ORDER BY ahead";
    let rows = sqlx::query(sql).bind(after).fetch_all(connection).await?;
    let day = |row: &PgRow| Ok(ClockDay { offset: row.try_get(0)?, figures: row.try_get(1)? });
    rows.iter().map(day).collect()
}

pub(crate) async fn is_unused(connection: &mut PgConnection) -> sqlx::Result<bool> {
    let sql = "SELECT NOT EXISTS (SELECT 1 FROM worker_cursor) AND NOT EXISTS (SELECT 1 FROM worker_lease)";
    sqlx::query_scalar(sql).fetch_one(connection).await
}

pub(crate) async fn ticks(connection: &mut PgConnection) -> sqlx::Result<Vec<WorkerTick>> {
    let sql = "SELECT worker, journal, ahead FROM worker_tick ORDER BY worker";
    let rows = sqlx::query(sql).fetch_all(connection).await?;
    let tick =
        |row: &PgRow| Ok(WorkerTick { worker: row.try_get(0)?, journal: row.try_get(1)?, offset: row.try_get(2)? });
    rows.iter().map(tick).collect()
}

/// Replaces the workers of these domains. One that was there keeps its tick.
pub(crate) async fn set_workers(
    connection: &mut PgConnection,
    domains: &[String],
    workers: &[WorkerTick],
) -> Result<(), Fault> {
    let names: Vec<&str> = workers.iter().map(|worker| worker.worker.as_str()).collect();
    let journals: Vec<&str> = workers.iter().map(|worker| worker.journal.as_str()).collect();
    let offsets: Vec<i64> = workers.iter().map(|worker| worker.offset).collect();
    sqlx::raw_sql("BEGIN").execute(&mut *connection).await?;
    sqlx::query(
        "DELETE FROM worker_tick WHERE split_part(worker, '.', 1) = ANY($1::text[]) AND worker <> ALL($2::text[])",
    )
    .bind(domains)
    .bind(names.clone())
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "INSERT INTO worker_tick (worker, journal, ahead) \
         SELECT u.* FROM unnest($1::text[], $2::text[], $3::bigint[]) AS u (worker, journal, ahead) ORDER BY 1 \
         ON CONFLICT (worker) DO UPDATE SET journal = excluded.journal",
    )
    .bind(names)
    .bind(journals)
    .bind(offsets)
    .execute(&mut *connection)
    .await?;
    sqlx::raw_sql("COMMIT").execute(connection).await.map_err(Fault::of_commit)?;
    Ok(())
}

pub(crate) async fn record_tick(connection: &mut PgConnection, worker: &str, offset: i64) -> Result<(), Fault> {
    sqlx::query("UPDATE worker_tick SET ahead = $2 WHERE worker = $1 AND ahead < $2")
        .bind(worker)
        .bind(offset)
        .execute(connection)
        .await?;
    Ok(())
}
