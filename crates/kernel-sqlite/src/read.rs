//! Reads. Each is one statement, so that it sees one state.
//!
//! Names of tables, journals and lookups come from the contract, never from a request. They are written into the
//! statement, and values are bound.

use pavise_contract::table::{Lookup, Table};
use pavise_kernel::store::{Entry, Filter, IdempotencyRecord, JournalHead, Match, Range, StoredRow};
use sqlx::sqlite::{Sqlite, SqlitePool, SqliteRow};
use sqlx::{AssertSqlSafe, QueryBuilder, Row as _};

use crate::condition::{ROW, expression, narrow};
use crate::sort_range;

pub(crate) async fn get(pool: &SqlitePool, table: &Table, id: &str) -> sqlx::Result<Option<StoredRow>> {
    let sql = format!("SELECT {ROW} FROM \"{}\" WHERE id = ?1", table.name);
    let row = sqlx::query(AssertSqlSafe(sql)).bind(id).fetch_optional(pool).await?;
    row.as_ref().map(row_of).transpose()
}

pub(crate) async fn get_many(pool: &SqlitePool, table: &Table, ids: &[String]) -> sqlx::Result<Vec<StoredRow>> {
    let sql = format!("SELECT {ROW} FROM \"{}\" WHERE id IN (SELECT value FROM json_each(?1))", table.name);
    let ids = serde_json::to_string(ids).unwrap_or_default();
    let rows = sqlx::query(AssertSqlSafe(sql)).bind(ids).fetch_all(pool).await?;
    rows.iter().map(row_of).collect()
}

pub(crate) async fn list(pool: &SqlitePool, table: &Table, filter: &Filter) -> sqlx::Result<Vec<StoredRow>> {
    let rows = list_query("", table, filter).build().fetch_all(pool).await?;
    rows.iter().map(row_of).collect()
}

pub(crate) fn list_query(before: &str, table: &Table, filter: &Filter) -> QueryBuilder<Sqlite> {
    if let Some(sort_range) = &filter.sort_range {
        return sort_range::query(before, table, filter, sort_range);
    }
    let mut query = QueryBuilder::new(format!("{before}SELECT {ROW} FROM \"{}\" WHERE true", table.name));
    narrow(&mut query, table, filter);
    if let Some(before) = &filter.before {
        query.push(" AND id < ").push_bind(before.clone());
    }
    query.push(" ORDER BY id DESC LIMIT ").push_bind(filter.limit);
    query
}

pub(crate) async fn range(pool: &SqlitePool, table: &Table, range: &Range) -> sqlx::Result<Vec<Match>> {
    let rows = range_query("", table, range).build().fetch_all(pool).await?;
    rows.iter().map(match_of).collect()
}

/// The table of a range's values as far as the condition of its name, the value, and the order.
pub(crate) fn range_parts(table: &Table, range: &Range) -> (String, &'static str, &'static str) {
    match range.lookup {
        Some(lookup) => (format!("{}_lookup\" WHERE name = '{}' AND", table.name, lookup.name), "value", "value, id"),
        None => (format!("{}\" WHERE", table.name), "id", "id"),
    }
}

/// Reads the values first and then their rows, so that the filter never makes the engine read further.
fn range_query(before: &str, table: &Table, range: &Range) -> QueryBuilder<Sqlite> {
    let (from, value, order) = range_parts(table, range);
    let mut query = QueryBuilder::new(format!("{before}SELECT m.value, m.place, {ROW} FROM "));
    // The filter's index comes first, so that the time tells nothing of rows that the filter excludes.
    if range.skips {
        query.push(if range.filter.is_narrow() { format!("\"{}\" CROSS JOIN ", table.name) } else { String::new() });
    }
    query.push(format!("(SELECT {value} AS value, id AS place FROM \"{from} {value} >= "));
    query.push_bind(range.prefix.clone()).push(format!(" AND {value} < ")).push_bind(range.end());
    match (&range.after, range.lookup) {
        (Some((after, id)), Some(_)) => {
            query.push(" AND (value, id) > (").push_bind(after.clone()).push(", ").push_bind(id.clone()).push(")");
        }
        (Some((_, id)), None) => {
            query.push(" AND id > ").push_bind(id.clone());
        }
        (None, _) => {}
    }
    if range.skips {
        let joined = if range.filter.is_narrow() { String::new() } else { format!(" CROSS JOIN \"{}\"", table.name) };
        query.push(format!(") m{joined} ON id = m.place"));
        narrow(&mut query, table, &range.filter);
        query.push(" ORDER BY m.value, m.place LIMIT ").push_bind(range.limit);
        return query;
    }
    query.push(format!(" ORDER BY {order} LIMIT ")).push_bind(range.limit);
    query.push(format!(") m LEFT JOIN \"{}\" ON id = m.place", table.name));
    narrow(&mut query, table, &range.filter);
    query.push(" ORDER BY m.value, m.place");
    query
}

/// Answers one row in either case; it is empty if there is no such entity.
pub(crate) async fn find_id(
    pool: &SqlitePool,
    table: &Table,
    lookup: &Lookup,
    value: &str,
) -> sqlx::Result<Option<String>> {
    let found = if lookup.many {
        format!("SELECT id FROM \"{}_lookup\" WHERE name = '{}' AND value = ?1", table.name, lookup.name)
    } else {
        format!("SELECT id FROM \"{}\" WHERE {} = ?1", table.name, expression(lookup))
    };
    let sql = format!("SELECT ({found} ORDER BY id DESC LIMIT 1)");
    sqlx::query_scalar(AssertSqlSafe(sql)).bind(value).fetch_one(pool).await
}

pub(crate) async fn scan(pool: &SqlitePool, table: &Table, after: &str, limit: u32) -> sqlx::Result<Vec<StoredRow>> {
    let sql = format!("SELECT {ROW} FROM \"{}\" WHERE id > ?1 ORDER BY id LIMIT ?2", table.name);
    let rows = sqlx::query(AssertSqlSafe(sql)).bind(after).bind(limit).fetch_all(pool).await?;
    rows.iter().map(row_of).collect()
}

/// `None` when the journal has no epoch yet.
pub(crate) async fn journal(
    pool: &SqlitePool,
    journal: &str,
    entity: &str,
    after: i64,
    limit: u32,
) -> sqlx::Result<Option<(Vec<Entry>, JournalHead)>> {
    let only = if entity.is_empty() { "" } else { "AND entity_id = ?4 " };
    let sql = format!(
        "SELECT c.clock, c.epoch, e.clock, e.action, e.entity_table, e.entity_id, e.owner_id, e.version, e.at, e.actor, \
         e.subject, e.request_id, e.removed, e.doc FROM journal_counter c LEFT JOIN (SELECT * FROM \"{journal}_journal\" \
         WHERE clock > ?1 {only}ORDER BY clock LIMIT ?2) e ON true WHERE c.journal = ?3 ORDER BY e.clock"
    );
    let mut query = sqlx::query(AssertSqlSafe(sql)).bind(after).bind(limit).bind(journal);
    if !entity.is_empty() {
        query = query.bind(entity);
    }
    let rows = query.fetch_all(pool).await?;
    let Some(first) = rows.first() else { return Ok(None) };
    let head = JournalHead { clock: first.try_get(0)?, epoch: first.try_get(1)? };
    let entries = rows.iter().filter_map(|row| entry_of(row).transpose()).collect::<sqlx::Result<_>>()?;
    Ok(Some((entries, head)))
}

pub(crate) fn entry_of(row: &SqliteRow) -> sqlx::Result<Option<Entry>> {
    let Some(clock) = row.try_get(2)? else { return Ok(None) };
    Ok(Some(Entry {
        clock,
        action: row.try_get(3)?,
        table: row.try_get(4)?,
        entity_id: row.try_get(5)?,
        owner_id: row.try_get(6)?,
        version: row.try_get(7)?,
        at: row.try_get(8)?,
        actor: row.try_get(9)?,
        subject: row.try_get(10)?,
        request_id: row.try_get(11)?,
        removed: row.try_get(12)?,
        doc: row.try_get(13)?,
    }))
}

/// `None` when the journal has no epoch yet.
pub(crate) async fn head(pool: &SqlitePool, journal: &str) -> sqlx::Result<Option<JournalHead>> {
    let row = sqlx::query("SELECT clock, epoch FROM journal_counter WHERE journal = ?1")
        .bind(journal)
        .fetch_optional(pool)
        .await?;
    row.map(|row| Ok(JournalHead { clock: row.try_get(0)?, epoch: row.try_get(1)? })).transpose()
}

pub(crate) async fn idempotency_record(
    pool: &SqlitePool,
    journal: &str,
    key: &str,
) -> sqlx::Result<Option<IdempotencyRecord>> {
    let sql = format!("SELECT key, request, answer, version, clock, at FROM \"{journal}_idempotency\" WHERE key = ?1");
    let row = sqlx::query(AssertSqlSafe(sql)).bind(key).fetch_optional(pool).await?;
    row.as_ref().map(|row| idempotency_record_from(row, 0)).transpose()
}

/// The record in the columns from `first` on.
pub(crate) fn idempotency_record_from(row: &SqliteRow, first: usize) -> sqlx::Result<IdempotencyRecord> {
    Ok(IdempotencyRecord {
        key: row.try_get(first)?,
        request: row.try_get(first + 1)?,
        answer: row.try_get::<Vec<u8>, _>(first + 2)?.into(),
        version: row.try_get(first + 3)?,
        clock: row.try_get(first + 4)?,
        at: row.try_get(first + 5)?,
    })
}

fn match_of(row: &SqliteRow) -> sqlx::Result<Match> {
    let wanted: Option<String> = row.try_get(2)?;
    Ok(Match { value: row.try_get(0)?, id: row.try_get(1)?, row: wanted.map(|_| row_from(row, 2)).transpose()? })
}

fn row_of(row: &SqliteRow) -> sqlx::Result<StoredRow> {
    row_from(row, 0)
}

/// The entity in the columns from `first` on.
pub(crate) fn row_from(row: &SqliteRow, first: usize) -> sqlx::Result<StoredRow> {
    Ok(StoredRow {
        id: row.try_get(first)?,
        owner_id: row.try_get(first + 1)?,
        status: row.try_get(first + 2)?,
        version: row.try_get(first + 3)?,
        clock: row.try_get(first + 4)?,
        created_at: row.try_get(first + 5)?,
        updated_at: row.try_get(first + 6)?,
        doc: row.try_get(first + 7)?,
    })
}

#[cfg(test)]
mod tests {
    use pavise_kernel::conformance::tables::{MIGRATIONS, THING};

    use super::*;
    use crate::SqliteStore;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_range_is_read_from_an_index_alone() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path().join("plan.sqlite"), &[&MIGRATIONS]).await.unwrap();
        for (name, expected) in [
            ("emails.address", "SEARCH thing_lookup USING PRIMARY KEY (name=? AND value>? AND value<?)"),
            ("id", "SEARCH thing USING INDEX sqlite_autoindex_thing_1 (id>? AND id<?)"),
        ] {
            let filter = Filter { statuses: vec!["NEW".into()], ..Filter::default() };
            let after = Some(("m1".into(), "id-001".into()));
            let range =
                Range { lookup: THING.lookup(name), prefix: "m".into(), after, filter, limit: 50, skips: false };
            let plan: Vec<String> = range_query("EXPLAIN QUERY PLAN ", &THING, &range)
                .build()
                .fetch_all(&store.readers)
                .await
                .unwrap()
                .iter()
                .map(|row| row.get("detail"))
                .collect();
            let found = plan.iter().any(|step| step.replace("COVERING ", "") == expected);
            assert!(found, "{name}: {plan:#?}");
            // A page has been read at that point, and only a page may be sorted again.
            let mut before_page = plan.iter().take_while(|step| *step != "SCAN m");
            let spoiled = before_page.any(|step| step.contains("TEMP B-TREE"))
                || plan.iter().any(|step| step.starts_with("SCAN thing"));
            assert!(!spoiled, "{name}: {plan:#?}");
        }
    }
}
