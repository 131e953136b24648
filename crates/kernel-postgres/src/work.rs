//! The engine's own tables: counters, leases, cursors, failed entries, orders to workers.

use std::time::Duration;

use pavise_kernel::store::{
    Cursor, DueEntries, FailedCount, FailedEntry, JournalHead, LONGEST_WAIT, TimerRun, WorkerOrder, WorkerOrderKind,
    WorkerState,
};
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{AssertSqlSafe, Row as _};

use crate::connections::Fault;
use crate::read;

/// Idempotency records that are deleted at once; few, so that the writer is soon free again.
const FORGOTTEN: i64 = 1_000;

/// Commits a message in the server's log that nobody reads. A standby and a read-only server refuse it, and a server
/// that cannot write its log fails.
pub(crate) async fn probe(connection: &mut PgConnection) -> Result<(), Fault> {
    let read_only = "SELECT current_setting('transaction_read_only') = 'on'";
    if sqlx::query_scalar(read_only).fetch_one(&mut *connection).await? {
        return Err(sqlx::Error::Protocol("the database is read-only".to_owned()).into());
    }
    let sql = "SELECT pg_logical_emit_message(true, 'pavise', 'ready')::text";
    sqlx::query(sql).execute(connection).await.map_err(Fault::of_commit)?;
    Ok(())
}

pub(crate) async fn begin_journal(connection: &mut PgConnection, journal: &str) -> Result<(), Fault> {
    sqlx::query(AssertSqlSafe(read::begin_journal(journal))).execute(connection).await?;
    Ok(())
}

/// Takes or renews a lease. The holder is stored as `HOLDER@LOCK`. The process holds that lock while it runs, and the
/// server releases it with the process. A lease is free when it has expired, or when no process holds its lock. The
/// server's clock counts, not those of the processes.
pub(crate) async fn lease(
    connection: &mut PgConnection,
    name: &str,
    holder: &str,
    lock: Option<i64>,
    lasts: Duration,
) -> Result<bool, Fault> {
    let done = sqlx::query(
        "INSERT INTO worker_lease (name, holder, until) VALUES ($1, $2 || coalesce('@' || $4, ''), \
         (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + $3) ON CONFLICT (name) \
         DO UPDATE SET holder = excluded.holder, until = excluded.until \
         WHERE split_part(worker_lease.holder, '@', 1) = $2 OR worker_lease.until <= excluded.until - $3 \
         OR worker_lease.until > excluded.until + $3 \
         OR (worker_lease.holder LIKE '%@%' AND NOT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted \
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND objsubid = 1 \
         AND ((classid::bigint << 32) | objid::bigint)::text = split_part(worker_lease.holder, '@', 2)))",
    )
    .bind(name)
    .bind(holder)
    .bind(i64::try_from(lasts.as_micros()).unwrap_or(i64::MAX))
    .bind(lock.map(|lock| lock.to_string()))
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub(crate) async fn release(connection: &mut PgConnection, name: &str, holder: &str) -> Result<(), Fault> {
    let sql = "DELETE FROM worker_lease WHERE name = $1 AND split_part(holder, '@', 1) = $2";
    sqlx::query(sql).bind(name).bind(holder).execute(connection).await?;
    Ok(())
}

pub(crate) async fn cursor(connection: &mut PgConnection, worker: &str) -> sqlx::Result<Cursor> {
    let row = sqlx::query("SELECT clock, epoch FROM worker_cursor WHERE worker = $1")
        .bind(worker)
        .fetch_optional(connection)
        .await?;
    row.map_or_else(|| Ok(Cursor::default()), |row| Ok(Cursor { clock: row.try_get(0)?, epoch: row.try_get(1)? }))
}

pub(crate) async fn advance(
    connection: &mut PgConnection,
    worker: &str,
    holder: &str,
    cursor: &Cursor,
    failed: &[FailedEntry],
) -> Result<bool, Fault> {
    // The lease's row is locked, so that no other process takes the lease in between.
    let rows = sqlx::query(
        "WITH held AS (SELECT name FROM worker_lease WHERE name = $1 AND split_part(holder, '@', 1) = $2 FOR SHARE), \
         moved AS (INSERT INTO worker_cursor (worker, clock, epoch) SELECT name, $3, $4 FROM held \
         ON CONFLICT (worker) DO UPDATE SET clock = excluded.clock, epoch = excluded.epoch \
         WHERE worker_cursor.epoch <> excluded.epoch OR worker_cursor.clock < excluded.clock \
         OR (worker_cursor.clock = excluded.clock AND cardinality($6::bigint[]) = 0) RETURNING worker), \
         put AS (INSERT INTO worker_aside (worker, clock, entity_id, attempts, next_at, cause, parked, entry) SELECT u.* FROM moved, \
         unnest($5::text[], $6::bigint[], $7::text[], $8::integer[], $9::bigint[], $10::text[], $11::boolean[], $12::bytea[]) AS u \
         ON CONFLICT (worker, clock) DO UPDATE SET attempts = excluded.attempts, next_at = excluded.next_at, \
         cause = excluded.cause, parked = excluded.parked) SELECT worker FROM moved",
    )
    .bind(worker)
    .bind(holder)
    .bind(cursor.clock)
    .bind(&cursor.epoch)
    .bind(each(failed, |entry| entry.worker.as_str()))
    .bind(each(failed, |entry| entry.clock))
    .bind(each(failed, |entry| entry.entity_id.as_str()))
    .bind(each(failed, |entry| entry.attempts))
    .bind(each(failed, |entry| entry.next_at))
    .bind(each(failed, |entry| entry.cause.as_str()))
    .bind(each(failed, |entry| entry.parked))
    .bind(each(failed, |entry| entry.entry.as_slice()))
    .fetch_all(connection)
    .await
    .map_err(Fault::of_commit)?;
    Ok(!rows.is_empty())
}

fn each<'a, T>(entries: &'a [FailedEntry], of: impl Fn(&'a FailedEntry) -> T) -> Vec<T> {
    entries.iter().map(of).collect()
}

pub(crate) async fn rewind(
    connection: &mut PgConnection,
    worker: &str,
    holder: &str,
    cursor: &Cursor,
) -> Result<bool, Fault> {
    sqlx::raw_sql("BEGIN").execute(&mut *connection).await?;
    let held = advance(connection, worker, holder, cursor, &[]).await?;
    if held {
        let sql = "DELETE FROM worker_aside WHERE worker = $1 AND clock > $2";
        sqlx::query(sql).bind(worker).bind(cursor.clock).execute(&mut *connection).await?;
    }
    sqlx::raw_sql("COMMIT").execute(connection).await.map_err(Fault::of_commit)?;
    Ok(held)
}

pub(crate) async fn renew_epoch(connection: &mut PgConnection, journal: &str) -> Result<JournalHead, Fault> {
    begin_journal(connection, journal).await?;
    // The counter's row is locked first, as every writer of the journal does.
    let row = sqlx::query(
        "WITH was AS (SELECT journal, clock, epoch FROM journal_counter WHERE journal = $1 FOR UPDATE), \
         kept AS (INSERT INTO journal_epoch (journal, number, epoch, ended_at_clock) SELECT journal, \
         (SELECT count(*) FROM journal_epoch e WHERE e.journal = $1), epoch, clock FROM was) \
         UPDATE journal_counter c SET epoch = replace(gen_random_uuid()::text, '-', '') FROM was \
         WHERE c.journal = was.journal RETURNING c.clock, c.epoch",
    )
    .bind(journal)
    .fetch_one(connection)
    .await
    .map_err(Fault::of_commit)?;
    Ok(JournalHead { clock: row.try_get(0)?, epoch: row.try_get(1)? })
}

pub(crate) async fn shared_until(connection: &mut PgConnection, journal: &str, epoch: &str) -> sqlx::Result<i64> {
    let row = sqlx::query(
        "SELECT coalesce(\
         (SELECT min(later.ended_at_clock) FROM journal_epoch known JOIN journal_epoch later \
         ON later.journal = known.journal AND later.number >= known.number WHERE known.journal = $1 AND known.epoch = $2), \
         (SELECT ended_at_clock FROM journal_epoch WHERE journal = $1 ORDER BY number DESC LIMIT 1), 0)",
    )
    .bind(journal)
    .bind(epoch)
    .fetch_one(connection)
    .await?;
    row.try_get(0)
}

/// The server's clock counts, not those of the processes. One row always comes, with the clock.
pub(crate) async fn due(connection: &mut PgConnection, worker: &str, limit: u32) -> sqlx::Result<DueEntries> {
    let rows = sqlx::query(
        "SELECT a.*, n.at FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS at OFFSET 0) n \
         LEFT JOIN LATERAL (SELECT worker, clock, entity_id, attempts, next_at, cause, parked, entry FROM worker_aside a \
         WHERE worker = $1 AND NOT parked AND (next_at <= n.at OR next_at > n.at + $3) \
         AND NOT EXISTS (SELECT 1 FROM worker_aside b WHERE b.worker = a.worker AND b.entity_id = a.entity_id \
         AND b.clock < a.clock) ORDER BY next_at, clock LIMIT $2) a ON true ORDER BY a.next_at, a.clock",
    )
    .bind(worker)
    .bind(i64::from(limit))
    .bind(LONGEST_WAIT)
    .fetch_all(connection)
    .await?;
    let mut due = DueEntries::default();
    for row in &rows {
        due.now = row.try_get("at")?;
        if row.try_get::<Option<i64>, _>("clock")?.is_some() {
            due.entries.push(failed_entry(row)?);
        }
    }
    Ok(due)
}

pub(crate) async fn blocked(
    connection: &mut PgConnection,
    worker: &str,
    entities: &[String],
) -> sqlx::Result<Vec<String>> {
    let sql = "SELECT DISTINCT entity_id FROM worker_aside WHERE worker = $1 AND entity_id = ANY($2::text[])";
    let rows = sqlx::query(sql).bind(worker).bind(entities).fetch_all(connection).await?;
    rows.iter().map(|row| row.try_get(0)).collect()
}

pub(crate) async fn failed_entries(
    connection: &mut PgConnection,
    worker: &str,
    limit: u32,
) -> sqlx::Result<Vec<FailedEntry>> {
    let rows = sqlx::query(
        "SELECT worker, clock, entity_id, attempts, next_at, cause, parked, entry FROM worker_aside \
         WHERE $1::text = '' OR worker = $1 ORDER BY clock, worker LIMIT $2",
    )
    .bind(worker)
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?;
    rows.iter().map(failed_entry).collect()
}

pub(crate) async fn count_failed(connection: &mut PgConnection) -> sqlx::Result<Vec<FailedCount>> {
    let sql = "SELECT worker, parked, count(*) FROM worker_aside GROUP BY worker, parked";
    let rows = sqlx::query(sql).fetch_all(connection).await?;
    let count =
        |row: &PgRow| Ok(FailedCount { worker: row.try_get(0)?, parked: row.try_get(1)?, count: row.try_get(2)? });
    rows.iter().map(count).collect()
}

fn failed_entry(row: &PgRow) -> sqlx::Result<FailedEntry> {
    Ok(FailedEntry {
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

pub(crate) async fn retry(connection: &mut PgConnection, entry: &FailedEntry) -> Result<(), Fault> {
    sqlx::query(
        "UPDATE worker_aside SET attempts = $3, next_at = $4, cause = $5, parked = $6 \
         WHERE worker = $1 AND clock = $2 AND (attempts <= $3 OR $3 = 0)",
    )
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

pub(crate) async fn remove_failed(connection: &mut PgConnection, worker: &str, clock: i64) -> Result<(), Fault> {
    sqlx::query("DELETE FROM worker_aside WHERE worker = $1 AND clock = $2")
        .bind(worker)
        .bind(clock)
        .execute(connection)
        .await?;
    Ok(())
}

pub(crate) async fn failed_page(
    connection: &mut PgConnection,
    worker: &str,
    after: i64,
    limit: u32,
) -> sqlx::Result<Vec<FailedEntry>> {
    let rows = sqlx::query(
        "SELECT worker, clock, entity_id, attempts, next_at, cause, parked, entry FROM worker_aside \
         WHERE worker = $1 AND clock > $2 ORDER BY clock LIMIT $3",
    )
    .bind(worker)
    .bind(after)
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?;
    rows.iter().map(failed_entry).collect()
}

pub(crate) async fn replay_failed(
    connection: &mut PgConnection,
    worker: &str,
    clock: Option<i64>,
) -> Result<u64, Fault> {
    let sql = "UPDATE worker_aside SET attempts = 0, next_at = 0, parked = FALSE \
               WHERE worker = $1 AND (clock = $2::bigint OR ($2::bigint IS NULL AND parked))";
    Ok(sqlx::query(sql).bind(worker).bind(clock).execute(connection).await?.rows_affected())
}

pub(crate) async fn worker_states(connection: &mut PgConnection) -> sqlx::Result<Vec<WorkerState>> {
    let sql = "SELECT worker, paused, steered_at, steered_by, note, triggered_at, triggered_by, counted_from, started_at, \
               ended_at, cause, next_at FROM worker_state";
    sqlx::query(sql).fetch_all(connection).await?.iter().map(worker_state).collect()
}

fn worker_state(row: &PgRow) -> sqlx::Result<WorkerState> {
    Ok(WorkerState {
        worker: row.try_get(0)?,
        is_paused: row.try_get(1)?,
        steered_at: row.try_get(2)?,
        steered_by: row.try_get(3)?,
        note: row.try_get(4)?,
        triggered_at: row.try_get(5)?,
        triggered_by: row.try_get(6)?,
        run: TimerRun {
            counted_from: row.try_get(7)?,
            started_at: row.try_get(8)?,
            ended_at: row.try_get(9)?,
            cause: row.try_get(10)?,
            next_at: row.try_get(11)?,
        },
    })
}

/// Pausing drops the run that was asked for.
pub(crate) async fn order_worker(
    connection: &mut PgConnection,
    worker: &str,
    order: &WorkerOrder,
) -> Result<bool, Fault> {
    let sql = match order.kind {
        WorkerOrderKind::Pause => {
            "INSERT INTO worker_state (worker, paused, steered_at, steered_by, note) VALUES ($1, TRUE, $2, $3, $4) \
             ON CONFLICT (worker) DO UPDATE SET paused = TRUE, steered_at = excluded.steered_at, \
             steered_by = excluded.steered_by, note = excluded.note, triggered_at = 0, triggered_by = '' \
             WHERE NOT worker_state.paused"
        }
        WorkerOrderKind::Activate => {
            "UPDATE worker_state SET paused = FALSE, steered_at = $2, steered_by = $3, note = $4 \
             WHERE worker = $1 AND paused"
        }
        WorkerOrderKind::Trigger => {
            "INSERT INTO worker_state (worker, triggered_at, triggered_by) VALUES ($1, $2, $3) ON CONFLICT (worker) \
             DO UPDATE SET triggered_at = excluded.triggered_at, triggered_by = excluded.triggered_by \
             WHERE NOT worker_state.paused AND worker_state.triggered_at = 0"
        }
    };
    let mut query = sqlx::query(sql).bind(worker).bind(order.at.max(1)).bind(&order.by);
    if order.kind != WorkerOrderKind::Trigger {
        query = query.bind(&order.note);
    }
    Ok(query.execute(connection).await?.rows_affected() == 1)
}

/// The lease's row is locked, so that no other process takes the lease in between.
pub(crate) async fn record_run(
    connection: &mut PgConnection,
    worker: &str,
    holder: &str,
    run: &TimerRun,
    takes_trigger: bool,
) -> Result<bool, Fault> {
    let done = sqlx::query(
        "WITH held AS (SELECT name FROM worker_lease WHERE name = $1 AND split_part(holder, '@', 1) = $2 FOR SHARE) \
         INSERT INTO worker_state (worker, counted_from, started_at, ended_at, cause, next_at) \
         SELECT name, $3::bigint, $4::bigint, $5::bigint, $6::text, $7::bigint FROM held \
         ON CONFLICT (worker) DO UPDATE SET counted_from = excluded.counted_from, started_at = excluded.started_at, \
         ended_at = excluded.ended_at, cause = excluded.cause, next_at = excluded.next_at, \
         triggered_at = CASE WHEN $8::boolean THEN 0 ELSE worker_state.triggered_at END, \
         triggered_by = CASE WHEN $8::boolean THEN '' ELSE worker_state.triggered_by END",
    )
    .bind(worker)
    .bind(holder)
    .bind(run.counted_from)
    .bind(run.started_at)
    .bind(run.ended_at)
    .bind(&run.cause)
    .bind(run.next_at)
    .bind(takes_trigger)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub(crate) async fn forget(connection: &mut PgConnection, journal: &str, before: i64) -> Result<u64, Fault> {
    let sql = format!(
        "DELETE FROM \"{journal}_idempotency\" WHERE key IN \
         (SELECT key FROM \"{journal}_idempotency\" WHERE at < $1 ORDER BY at LIMIT {FORGOTTEN})"
    );
    Ok(sqlx::query(AssertSqlSafe(sql)).bind(before).execute(connection).await?.rows_affected())
}
