//! The engine's own tables: counters, leases, cursors, failed entries, orders to workers.

use std::time::Duration;

use pavise_kernel::store::{
    Cursor, DueEntries, FailedCount, FailedEntry, JournalHead, LONGEST_WAIT, TimerRun, WorkerOrder, WorkerOrderKind,
    WorkerState,
};
use sqlx::sqlite::{SqlitePool, SqliteRow};
use sqlx::{AssertSqlSafe, Row as _, SqliteConnection};

use crate::fault::Fault;
use crate::presence::Presence;

/// Idempotency records that are deleted at once; few, so that the writer is soon free again.
const FORGOTTEN: i64 = 1_000;

/// Writes one page durably, and changes nothing: the engine uses no user version, which is and stays 0. SQLite writes
/// the page all the same.
pub(crate) async fn probe(connection: &mut SqliteConnection) -> Result<(), Fault> {
    sqlx::query("PRAGMA user_version = 0").execute(connection).await?;
    Ok(())
}

pub(crate) async fn begin_journal(connection: &mut SqliteConnection, journal: &str) -> Result<(), Fault> {
    sqlx::query(
        "INSERT INTO journal_counter (journal, clock, epoch) VALUES (?1, 0, lower(hex(randomblob(16)))) ON CONFLICT DO NOTHING",
    )
    .bind(journal)
    .execute(connection)
    .await?;
    Ok(())
}

/// Takes or renews a lease. The holder is stored as `HOLDER@FILE`; the process locks that file while it runs. A lease
/// is free when it has expired, or when no process holds that lock. The statement reads the clock itself: all processes
/// of the file are on one machine.
pub(crate) async fn lease(
    connection: &mut SqliteConnection,
    presence: &Presence,
    name: &str,
    holder: &str,
    lasts: Duration,
) -> Result<bool, Fault> {
    let sql = "SELECT holder FROM worker_lease WHERE name = ?1";
    let held: Option<String> = sqlx::query_scalar(sql).bind(name).fetch_optional(&mut *connection).await?;
    let gone =
        held.filter(|held| held.split_once('@').is_some_and(|(other, file)| other != holder && presence.is_gone(file)));
    let kept = presence.name().map_or_else(|| holder.to_owned(), |file| format!("{holder}@{file}"));
    let done = sqlx::query(
        "INSERT INTO worker_lease (name, holder, until) \
         VALUES (?1, ?2, CAST(unixepoch('subsec') * 1000000 AS INTEGER) + ?3) ON CONFLICT (name) \
         DO UPDATE SET holder = excluded.holder, until = excluded.until \
         WHERE instr(worker_lease.holder || '@', ?4 || '@') = 1 OR worker_lease.until <= excluded.until - ?3 \
         OR worker_lease.until > excluded.until + ?3 OR worker_lease.holder = ?5",
    )
    .bind(name)
    .bind(kept)
    .bind(i64::try_from(lasts.as_micros()).unwrap_or(i64::MAX))
    .bind(holder)
    .bind(gone)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Renews the leases that the holders still have: each with its name, its holder and the time that it lasts. Answers the
/// names of those.
pub(crate) async fn renew(
    connection: &mut SqliteConnection,
    leases: &[(&str, &str, Duration)],
) -> Result<Vec<String>, Fault> {
    if leases.is_empty() {
        return Ok(Vec::new());
    }
    let micros = |lasts: Duration| i64::try_from(lasts.as_micros()).unwrap_or(i64::MAX);
    let asked: Vec<_> = leases.iter().map(|(name, holder, lasts)| (*name, *holder, micros(*lasts))).collect();
    let sql = "UPDATE worker_lease SET until = CAST(unixepoch('subsec') * 1000000 AS INTEGER) + (asked.value ->> 2) \
               FROM json_each(?1) asked WHERE worker_lease.name = asked.value ->> 0 \
               AND instr(worker_lease.holder || '@', (asked.value ->> 1) || '@') = 1 RETURNING worker_lease.name";
    let asked = serde_json::to_string(&asked).unwrap_or_default();
    Ok(sqlx::query_scalar(sql).bind(asked).fetch_all(connection).await?)
}

pub(crate) async fn release(connection: &mut SqliteConnection, name: &str, holder: &str) -> Result<(), Fault> {
    let sql = "DELETE FROM worker_lease WHERE name = ?1 AND instr(holder || '@', ?2 || '@') = 1";
    sqlx::query(sql).bind(name).bind(holder).execute(connection).await?;
    Ok(())
}

pub(crate) async fn cursor(pool: &SqlitePool, worker: &str) -> sqlx::Result<Cursor> {
    let row = sqlx::query("SELECT clock, epoch FROM worker_cursor WHERE worker = ?1")
        .bind(worker)
        .fetch_optional(pool)
        .await?;
    row.map_or_else(|| Ok(Cursor::default()), |row| Ok(Cursor { clock: row.try_get(0)?, epoch: row.try_get(1)? }))
}

pub(crate) async fn advance(
    connection: &mut SqliteConnection,
    worker: &str,
    holder: &str,
    cursor: &Cursor,
    failed: &[FailedEntry],
) -> Result<bool, Fault> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let held = put(connection, worker, holder, cursor, failed).await?;
    sqlx::query("COMMIT").execute(connection).await.map_err(Fault::During)?;
    Ok(held)
}

/// Advances the cursor within a transaction.
async fn put(
    connection: &mut SqliteConnection,
    worker: &str,
    holder: &str,
    cursor: &Cursor,
    failed: &[FailedEntry],
) -> Result<bool, Fault> {
    let done = sqlx::query(
        "INSERT INTO worker_cursor (worker, clock, epoch) SELECT name, ?3, ?4 FROM worker_lease \
         WHERE name = ?1 AND instr(holder || '@', ?2 || '@') = 1 \
         ON CONFLICT (worker) DO UPDATE SET clock = excluded.clock, epoch = excluded.epoch \
         WHERE worker_cursor.epoch <> excluded.epoch OR worker_cursor.clock < excluded.clock \
         OR (worker_cursor.clock = excluded.clock AND ?5)",
    )
    .bind(worker)
    .bind(holder)
    .bind(cursor.clock)
    .bind(&cursor.epoch)
    .bind(failed.is_empty())
    .execute(&mut *connection)
    .await?;
    let held = done.rows_affected() == 1;
    if held {
        for entry in failed {
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
    Ok(held)
}

pub(crate) async fn rewind(
    connection: &mut SqliteConnection,
    worker: &str,
    holder: &str,
    cursor: &Cursor,
) -> Result<bool, Fault> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let held = put(connection, worker, holder, cursor, &[]).await?;
    if held {
        let sql = "DELETE FROM worker_aside WHERE worker = ?1 AND clock > ?2";
        sqlx::query(sql).bind(worker).bind(cursor.clock).execute(&mut *connection).await?;
    }
    sqlx::query("COMMIT").execute(connection).await.map_err(Fault::During)?;
    Ok(held)
}

pub(crate) async fn renew_epoch(connection: &mut SqliteConnection, journal: &str) -> Result<JournalHead, Fault> {
    begin_journal(connection, journal).await?;
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    sqlx::query(
        "INSERT INTO journal_epoch (journal, number, epoch, ended_at_clock) SELECT journal, \
         (SELECT count(*) FROM journal_epoch e WHERE e.journal = c.journal), epoch, clock FROM journal_counter c WHERE journal = ?1",
    )
    .bind(journal)
    .execute(&mut *connection)
    .await?;
    let row = sqlx::query(
        "UPDATE journal_counter SET epoch = lower(hex(randomblob(16))) WHERE journal = ?1 RETURNING clock, epoch",
    )
    .bind(journal)
    .fetch_one(&mut *connection)
    .await?;
    let head = JournalHead { clock: row.try_get(0)?, epoch: row.try_get(1)? };
    sqlx::query("COMMIT").execute(connection).await.map_err(Fault::During)?;
    Ok(head)
}

pub(crate) async fn shared_until(pool: &SqlitePool, journal: &str, epoch: &str) -> sqlx::Result<i64> {
    let row = sqlx::query(
        "SELECT coalesce(\
         (SELECT min(later.ended_at_clock) FROM journal_epoch known JOIN journal_epoch later \
         ON later.journal = known.journal AND later.number >= known.number WHERE known.journal = ?1 AND known.epoch = ?2), \
         (SELECT ended_at_clock FROM journal_epoch WHERE journal = ?1 ORDER BY number DESC LIMIT 1), 0)",
    )
    .bind(journal)
    .bind(epoch)
    .fetch_one(pool)
    .await?;
    row.try_get(0)
}

/// The clock is the engine's: all processes of the file are on one machine.
pub(crate) async fn due(pool: &SqlitePool, worker: &str, limit: u32) -> sqlx::Result<DueEntries> {
    let now: i64 = sqlx::query_scalar("SELECT CAST(unixepoch('subsec') * 1000000 AS INTEGER)").fetch_one(pool).await?;
    let rows = sqlx::query(
        "SELECT worker, clock, entity_id, attempts, next_at, cause, parked, entry FROM worker_aside a \
         WHERE worker = ?1 AND NOT parked AND (next_at <= ?2 OR next_at > ?4) AND NOT EXISTS (SELECT 1 FROM worker_aside b \
         WHERE b.worker = a.worker AND b.entity_id = a.entity_id AND b.clock < a.clock) ORDER BY next_at, clock LIMIT ?3",
    )
    .bind(worker)
    .bind(now)
    .bind(limit)
    .bind(now.saturating_add(LONGEST_WAIT))
    .fetch_all(pool)
    .await?;
    Ok(DueEntries { now, entries: rows.iter().map(failed_entry).collect::<sqlx::Result<_>>()? })
}

pub(crate) async fn blocked(pool: &SqlitePool, worker: &str, entities: &[String]) -> sqlx::Result<Vec<String>> {
    let entities = serde_json::to_string(entities).unwrap_or_default();
    let rows = sqlx::query(
        "SELECT DISTINCT entity_id FROM worker_aside WHERE worker = ?1 AND entity_id IN (SELECT value FROM json_each(?2))",
    )
    .bind(worker)
    .bind(entities)
    .fetch_all(pool)
    .await?;
    rows.iter().map(|row| row.try_get(0)).collect()
}

pub(crate) async fn failed_entries(pool: &SqlitePool, worker: &str, limit: u32) -> sqlx::Result<Vec<FailedEntry>> {
    let rows = sqlx::query(
        "SELECT worker, clock, entity_id, attempts, next_at, cause, parked, entry FROM worker_aside \
         WHERE ?1 = '' OR worker = ?1 ORDER BY clock, worker LIMIT ?2",
    )
    .bind(worker)
    .bind(limit)
    .fetch_all(pool)
    .await?;
    rows.iter().map(failed_entry).collect()
}

pub(crate) async fn count_failed(pool: &SqlitePool) -> sqlx::Result<Vec<FailedCount>> {
    let sql = "SELECT worker, parked, count(*) FROM worker_aside GROUP BY worker, parked";
    let rows = sqlx::query(sql).fetch_all(pool).await?;
    let count =
        |row: &SqliteRow| Ok(FailedCount { worker: row.try_get(0)?, parked: row.try_get(1)?, count: row.try_get(2)? });
    rows.iter().map(count).collect()
}

fn failed_entry(row: &SqliteRow) -> sqlx::Result<FailedEntry> {
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

pub(crate) async fn retry(connection: &mut SqliteConnection, entry: &FailedEntry) -> Result<(), Fault> {
    sqlx::query(
        "UPDATE worker_aside SET attempts = ?3, next_at = ?4, cause = ?5, parked = ?6 \
         WHERE worker = ?1 AND clock = ?2 AND (attempts <= ?3 OR ?3 = 0)",
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

pub(crate) async fn remove_failed(connection: &mut SqliteConnection, worker: &str, clock: i64) -> Result<(), Fault> {
    sqlx::query("DELETE FROM worker_aside WHERE worker = ?1 AND clock = ?2")
        .bind(worker)
        .bind(clock)
        .execute(connection)
        .await?;
    Ok(())
}

pub(crate) async fn failed_page(
    pool: &SqlitePool,
    worker: &str,
    after: i64,
    limit: u32,
) -> sqlx::Result<Vec<FailedEntry>> {
    let rows = sqlx::query(
        "SELECT worker, clock, entity_id, attempts, next_at, cause, parked, entry FROM worker_aside \
         WHERE worker = ?1 AND clock > ?2 ORDER BY clock LIMIT ?3",
    )
    .bind(worker)
    .bind(after)
    .bind(limit)
    .fetch_all(pool)
    .await?;
    rows.iter().map(failed_entry).collect()
}

pub(crate) async fn replay_failed(
    connection: &mut SqliteConnection,
    worker: &str,
    clock: Option<i64>,
) -> Result<u64, Fault> {
    let sql = "UPDATE worker_aside SET attempts = 0, next_at = 0, parked = FALSE \
               WHERE worker = ?1 AND (clock = ?2 OR (?2 IS NULL AND parked))";
    Ok(sqlx::query(sql).bind(worker).bind(clock).execute(connection).await?.rows_affected())
}

pub(crate) async fn worker_states(pool: &SqlitePool) -> sqlx::Result<Vec<WorkerState>> {
    let sql = "SELECT worker, paused, steered_at, steered_by, note, triggered_at, triggered_by, counted_from, started_at, \
               ended_at, cause, next_at FROM worker_state";
    sqlx::query(sql).fetch_all(pool).await?.iter().map(worker_state).collect()
}

fn worker_state(row: &SqliteRow) -> sqlx::Result<WorkerState> {
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
    connection: &mut SqliteConnection,
    worker: &str,
    order: &WorkerOrder,
) -> Result<bool, Fault> {
    let sql = match order.kind {
        WorkerOrderKind::Pause => {
            "INSERT INTO worker_state (worker, paused, steered_at, steered_by, note) VALUES (?1, TRUE, ?2, ?3, ?4) \
             ON CONFLICT (worker) DO UPDATE SET paused = TRUE, steered_at = excluded.steered_at, \
             steered_by = excluded.steered_by, note = excluded.note, triggered_at = 0, triggered_by = '' \
             WHERE NOT worker_state.paused"
        }
        WorkerOrderKind::Activate => {
            "UPDATE worker_state SET paused = FALSE, steered_at = ?2, steered_by = ?3, note = ?4 \
             WHERE worker = ?1 AND paused"
        }
        WorkerOrderKind::Trigger => {
            "INSERT INTO worker_state (worker, triggered_at, triggered_by) VALUES (?1, ?2, ?3) ON CONFLICT (worker) \
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

pub(crate) async fn record_run(
    connection: &mut SqliteConnection,
    worker: &str,
    holder: &str,
    run: &TimerRun,
    takes_trigger: bool,
) -> Result<bool, Fault> {
    let done = sqlx::query(
        "INSERT INTO worker_state (worker, counted_from, started_at, ended_at, cause, next_at) \
         SELECT name, ?3, ?4, ?5, ?6, ?7 FROM worker_lease WHERE name = ?1 AND instr(holder || '@', ?2 || '@') = 1 \
         ON CONFLICT (worker) DO UPDATE SET counted_from = excluded.counted_from, started_at = excluded.started_at, \
         ended_at = excluded.ended_at, cause = excluded.cause, next_at = excluded.next_at, \
         triggered_at = CASE WHEN ?8 THEN 0 ELSE worker_state.triggered_at END, \
         triggered_by = CASE WHEN ?8 THEN '' ELSE worker_state.triggered_by END",
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

pub(crate) async fn forget(connection: &mut SqliteConnection, journal: &str, before: i64) -> Result<u64, Fault> {
    let sql = format!(
        "DELETE FROM \"{journal}_idempotency\" WHERE key IN \
         (SELECT key FROM \"{journal}_idempotency\" WHERE at < ?1 ORDER BY at LIMIT {FORGOTTEN})"
    );
    Ok(sqlx::query(AssertSqlSafe(sql)).bind(before).execute(connection).await?.rows_affected())
}
