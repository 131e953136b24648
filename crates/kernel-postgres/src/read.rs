//! Reads. Each is one statement, so that it sees one state.
//!
//! Names of tables, journals and lookups come from the contract, never from a request. They are written into the
//! statement, and values are bound.

use pavise_contract::table::{Lookup, Table};
use pavise_kernel::store::{Entry, Filter, IdempotencyRecord, JournalHead, Match, Range, RangePage, StoredRow};
use sqlx::postgres::{PgConnection, PgRow, Postgres};
use sqlx::{AssertSqlSafe, QueryBuilder, Row as _};

use crate::condition::{ROW, expression, narrow};
use crate::sort_range;

pub(crate) async fn get(connection: &mut PgConnection, table: &Table, id: &str) -> sqlx::Result<Option<StoredRow>> {
    let sql = format!("SELECT {ROW} FROM \"{}\" WHERE id = $1", table.name);
    let row = sqlx::query(AssertSqlSafe(sql)).bind(id).fetch_optional(connection).await?;
    row.as_ref().map(row_of).transpose()
}

pub(crate) async fn get_many(
    connection: &mut PgConnection,
    table: &Table,
    ids: &[String],
) -> sqlx::Result<Vec<StoredRow>> {
    let sql = format!("SELECT {ROW} FROM \"{}\" WHERE id = ANY($1)", table.name);
    let rows = sqlx::query(AssertSqlSafe(sql)).bind(ids).fetch_all(connection).await?;
    rows.iter().map(row_of).collect()
}

pub(crate) async fn list(
    connection: &mut PgConnection,
    table: &Table,
    filter: &Filter,
) -> sqlx::Result<Vec<StoredRow>> {
    let rows = list_query("", table, filter).build().fetch_all(connection).await?;
    rows.iter().map(row_of).collect()
}

pub(crate) fn list_query(before: &str, table: &Table, filter: &Filter) -> QueryBuilder<Postgres> {
    if let Some(sort_range) = &filter.sort_range {
        return sort_range::query(before, table, filter, sort_range);
    }
    let mut query = QueryBuilder::new(format!("{before}SELECT {ROW} FROM \"{}\" WHERE true", table.name));
    narrow(&mut query, table, filter);
    if let Some(before) = &filter.before {
        query.push(" AND id < ").push_bind(before.clone());
    }
    query.push(" ORDER BY id DESC LIMIT ").push_bind(i64::from(filter.limit));
    query
}

/// The column of the last value of a range's page; its id and the number of values follow.
const PAGE: usize = 10;

pub(crate) async fn range(connection: &mut PgConnection, table: &Table, range: &Range) -> sqlx::Result<RangePage> {
    let rows = range_query("", table, range).build().fetch_all(connection).await?;
    let limit = usize::try_from(range.limit).unwrap_or(usize::MAX);
    let matches = rows.iter().filter_map(|row| match_of(row).transpose()).collect::<sqlx::Result<_>>()?;
    let last_row = rows.last().map(|row| place_of(row, 0)).transpose()?.flatten();
    if range.skips {
        return Ok(RangePage { matches, read: rows.len(), last: last_row, goes_on: rows.len() >= limit });
    }
    let most = usize::try_from(range.most).unwrap_or(usize::MAX);
    if most > 0 && rows.len() >= most && last_row.is_some() {
        let read = rows.first().map(read_of).transpose()?.unwrap_or_default();
        return Ok(RangePage { matches, read, last: last_row, goes_on: true });
    }
    let Some(first) = rows.first() else { return Ok(RangePage::default()) };
    let read = read_of(first)?;
    Ok(RangePage { matches, read, last: place_of(first, PAGE)?, goes_on: read >= limit })
}

/// The table of a range's values as far as the condition of its name, the value, and the order.
pub(crate) fn range_parts(table: &Table, range: &Range) -> (String, &'static str, &'static str) {
    match range.lookup {
        Some(lookup) => (
            format!("{}_lookup\" WHERE name = '{}' AND", table.name, lookup.name),
            "value COLLATE \"C\"",
            "value COLLATE \"C\", id",
        ),
        None => (format!("{}\" WHERE", table.name), "id", "id"),
    }
}

/// Adds the bounds of a range's values.
pub(crate) fn push_bounds(query: &mut QueryBuilder<Postgres>, value: &str, range: &Range) {
    if range.exact {
        query.push(format!("{value} = ")).push_bind(range.prefix.clone());
    } else {
        query.push(format!("{value} >= ")).push_bind(range.prefix.clone());
        query.push(format!(" AND {value} < ")).push_bind(range.end());
    }
}

/// Reads the values first and then the rows of those that are chosen, so that the filter never makes the engine read
/// further. Values are compared byte by byte, as in the index, whatever the database's language is. Each row has a chosen
/// value with its match, and the last value of the page and the number of its values.
fn range_query(before: &str, table: &Table, range: &Range) -> QueryBuilder<Postgres> {
    let (from, value, order) = range_parts(table, range);
    let begin = if range.skips {
        format!("SELECT m.value, m.place, {ROW} FROM (")
    } else {
        "WITH range_page AS MATERIALIZED (".to_owned()
    };
    let mut query = QueryBuilder::new(format!("{before}{begin}SELECT {value} AS value, id AS place FROM \"{from} "));
    push_bounds(&mut query, value, range);
    match (&range.after, range.lookup) {
        (Some((after, id)), Some(_)) => {
            query
                .push(format!(" AND ({value}, id) > ("))
                .push_bind(after.clone())
                .push(", ")
                .push_bind(id.clone())
                .push(")");
        }
        (Some((_, id)), None) => {
            query.push(" AND id > ").push_bind(id.clone());
        }
        (None, _) => {}
    }
    if range.skips {
        query.push(format!(") m JOIN \"{}\" ON id = m.place", table.name));
        need(&mut query, table, range);
        narrow(&mut query, table, &range.filter);
        query.push(" ORDER BY m.value, m.place LIMIT ").push_bind(i64::from(range.limit));
        return query;
    }
    query.push(format!(" ORDER BY {order} LIMIT ")).push_bind(i64::from(range.limit));
    query.push("), range_choice AS MATERIALIZED (SELECT m.value, m.place FROM range_page m WHERE true");
    need(&mut query, table, range);
    query.push(" ORDER BY m.value, m.place LIMIT ");
    query.push_bind((range.most > 0).then_some(i64::from(range.most)));
    query.push(format!(
        ") SELECT m.value, m.place, {ROW}, last_value, last_place, (SELECT count(*) FROM range_page) \
         FROM (SELECT value AS last_value, place AS last_place FROM range_page ORDER BY value DESC, place DESC LIMIT 1) l \
         LEFT JOIN range_choice m ON true LEFT JOIN \"{}\" ON id = m.place",
        table.name
    ));
    narrow(&mut query, table, &range.filter);
    query.push(" ORDER BY m.value, m.place");
    query
}

/// Adds the conditions of the values that are needed besides, and of the entities and the further values that are left
/// out.
fn need(query: &mut QueryBuilder<Postgres>, table: &Table, range: &Range) {
    if !range.without.is_empty() {
        query.push(" AND m.place <> ALL(").push_bind(range.without.clone()).push(")");
    }
    if let Some(lookup) = range.lookup.filter(|_| range.once) {
        let (table, name) = (table.name, lookup.name);
        query
            .push(format!(
                " AND NOT EXISTS (SELECT FROM \"{table}_lookup\" n WHERE n.id = m.place AND n.name = '{name}' AND \
                 n.value COLLATE \"C\" >= "
            ))
            .push_bind(range.prefix.clone())
            .push(" AND n.value COLLATE \"C\" < m.value)");
    }
    for needed in &range.needs {
        let (table, name) = (table.name, needed.lookup.name);
        query.push(format!(
            " AND EXISTS (SELECT FROM \"{table}_lookup\" n WHERE n.id = m.place AND n.name = '{name}' AND \
             n.value COLLATE \"C\" "
        ));
        if needed.exact {
            query.push("= ").push_bind(needed.prefix.clone()).push(")");
        } else {
            query.push(">= ").push_bind(needed.prefix.clone());
            query.push(" AND n.value COLLATE \"C\" < ").push_bind(needed.end()).push(")");
        }
    }
}

/// Answers one row in either case; it is empty if there is no such entity.
pub(crate) async fn find_id(
    connection: &mut PgConnection,
    table: &Table,
    lookup: &Lookup,
    value: &str,
) -> sqlx::Result<Option<String>> {
    let found = if lookup.many {
        format!("SELECT id FROM \"{}_lookup\" WHERE name = '{}' AND value = $1", table.name, lookup.name)
    } else {
        format!("SELECT id FROM \"{}\" WHERE {} = $1", table.name, expression(lookup))
    };
    let sql = format!("SELECT ({found} ORDER BY id DESC LIMIT 1)");
    sqlx::query_scalar(AssertSqlSafe(sql)).bind(value).fetch_one(connection).await
}

pub(crate) async fn scan(
    connection: &mut PgConnection,
    table: &Table,
    after: &str,
    limit: u32,
) -> sqlx::Result<Vec<StoredRow>> {
    let sql = format!("SELECT {ROW} FROM \"{}\" WHERE id > $1 ORDER BY id LIMIT $2", table.name);
    let rows = sqlx::query(AssertSqlSafe(sql)).bind(after).bind(i64::from(limit)).fetch_all(connection).await?;
    rows.iter().map(row_of).collect()
}

/// The statement that gives a journal without writes its epoch.
pub(crate) fn begin_journal(journal: &str) -> String {
    format!(
        "INSERT INTO journal_counter (journal, clock, epoch) VALUES ('{journal}', 0, replace(gen_random_uuid()::text, '-', '')) \
         ON CONFLICT (journal) DO NOTHING"
    )
}

/// `None` when the journal has no epoch yet. The limit is written into the statement. With a bound limit, the planner
/// assumes a tenth of the journal and plans again for every page of a long one.
pub(crate) async fn journal(
    connection: &mut PgConnection,
    journal: &str,
    entity: &str,
    after: i64,
    limit: u32,
) -> sqlx::Result<Option<(Vec<Entry>, JournalHead)>> {
    let only = if entity.is_empty() { "" } else { "AND entity_id = $3 " };
    let sql = format!(
        "SELECT c.clock, c.epoch, e.clock, e.action, e.entity_table, e.entity_id, e.owner_id, e.version, e.at, e.actor, \
         e.subject, e.request_id, e.removed, e.doc::text FROM journal_counter c LEFT JOIN (SELECT * FROM \"{journal}_journal\" \
         WHERE clock > $1 {only}ORDER BY clock LIMIT {limit}) e ON true WHERE c.journal = $2 ORDER BY e.clock"
    );
    let mut query = sqlx::query(AssertSqlSafe(sql)).bind(after).bind(journal);
    if !entity.is_empty() {
        query = query.bind(entity);
    }
    let rows = query.fetch_all(connection).await?;
    let Some(first) = rows.first() else { return Ok(None) };
    let head = JournalHead { clock: first.try_get(0)?, epoch: first.try_get(1)? };
    let entries = rows.iter().filter_map(|row| entry_of(row).transpose()).collect::<sqlx::Result<_>>()?;
    Ok(Some((entries, head)))
}

pub(crate) fn entry_of(row: &PgRow) -> sqlx::Result<Option<Entry>> {
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
pub(crate) async fn head(connection: &mut PgConnection, journal: &str) -> sqlx::Result<Option<JournalHead>> {
    let row = sqlx::query("SELECT clock, epoch FROM journal_counter WHERE journal = $1")
        .bind(journal)
        .fetch_optional(connection)
        .await?;
    row.map(|row| Ok(JournalHead { clock: row.try_get(0)?, epoch: row.try_get(1)? })).transpose()
}

pub(crate) async fn idempotency_record(
    connection: &mut PgConnection,
    journal: &str,
    key: &str,
) -> sqlx::Result<Option<IdempotencyRecord>> {
    let sql = format!("SELECT key, request, answer, version, clock, at FROM \"{journal}_idempotency\" WHERE key = $1");
    let row = sqlx::query(AssertSqlSafe(sql)).bind(key).fetch_optional(connection).await?;
    row.as_ref().map(idempotency_record_from).transpose()
}

pub(crate) fn idempotency_record_from(row: &PgRow) -> sqlx::Result<IdempotencyRecord> {
    Ok(IdempotencyRecord {
        key: row.try_get(0)?,
        request: row.try_get(1)?,
        answer: row.try_get::<Vec<u8>, _>(2)?.into(),
        version: row.try_get(3)?,
        clock: row.try_get(4)?,
        at: row.try_get(5)?,
    })
}

/// The value and the id in the columns from `first` on, if there are any.
fn place_of(row: &PgRow, first: usize) -> sqlx::Result<Option<(String, String)>> {
    let value: Option<String> = row.try_get(first)?;
    Ok(value.zip(row.try_get(first + 1)?))
}

/// The number of values of a page.
fn read_of(row: &PgRow) -> sqlx::Result<usize> {
    row.try_get::<i64, _>(PAGE + 2).map(|read| usize::try_from(read).unwrap_or_default())
}

/// `None` when the filter excludes the entity.
fn match_of(row: &PgRow) -> sqlx::Result<Option<Match>> {
    if row.try_get::<Option<&str>, _>(2)?.is_none() {
        return Ok(None);
    }
    Ok(Some(Match { value: row.try_get(0)?, id: row.try_get(1)?, row: row_from(row, 2)? }))
}

fn row_of(row: &PgRow) -> sqlx::Result<StoredRow> {
    row_from(row, 0)
}

/// The entity in the columns from `first` on.
pub(crate) fn row_from(row: &PgRow, first: usize) -> sqlx::Result<StoredRow> {
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
    use pavise_kernel::store::NeededValue;
    use pavise_testkit::postgres;
    use sqlx::Connection as _;

    use super::*;
    use crate::PostgresStore;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_range_is_read_from_an_index_alone() {
        let url = postgres::make_database().await.unwrap();
        PostgresStore::connect(&url, 2, &[&MIGRATIONS]).await.unwrap();
        let mut connection = PgConnection::connect(&url).await.unwrap();
        // Otherwise tables as small as a test's would be read whole, in spite of their indexes.
        for setting in ["enable_seqscan", "enable_sort", "enable_bitmapscan"] {
            sqlx::query(AssertSqlSafe(format!("SET {setting} = off"))).execute(&mut connection).await.unwrap();
        }
        for (name, index) in [("emails.address", "thing_lookup_prefix"), ("id", "thing_pkey")] {
            let filter = Filter { statuses: vec!["NEW".into()], ..Filter::default() };
            let after = Some(("m1".into(), "id-001".into()));
            let needed = NeededValue { lookup: THING.lookup("tags").unwrap(), prefix: "a".into(), exact: false };
            let (lookup, needs) = (THING.lookup(name), vec![needed]);
            let without = vec!["id-002".into()];
            let (prefix, limit, most, once) = ("m".into(), 50, 20, true);
            let exact = false;
            let range = Range { lookup, prefix, exact, after, filter, limit, most, needs, without, once, skips: false };
            let rows = range_query("EXPLAIN ", &THING, &range).build().fetch_all(&mut connection).await.unwrap();
            let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
            let shown = plan.join("\n");
            let bounds = plan.iter().skip_while(|step| !step.contains(&format!("using {index} "))).nth(1);
            let bounded =
                |bounds: &&String| bounds.contains("Index Cond") && bounds.contains(">=") && bounds.contains(" < ");
            assert!(bounds.filter(bounded).is_some(), "{name}: {shown}");
            assert!(!shown.contains("Seq Scan"), "{name}: {shown}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_page_of_a_long_journal_is_planned_once() {
        let url = postgres::make_database().await.unwrap();
        PostgresStore::connect(&url, 2, &[&MIGRATIONS]).await.unwrap();
        let mut connection = PgConnection::connect(&url).await.unwrap();
        for sql in [
            format!(
                "INSERT INTO \"{0}_journal\" (clock, action, entity_table, entity_id, owner_id, version, at, actor, subject, \
                 request_id, removed, doc) SELECT clock, 'CREATED', 'thing', clock::text, '', 1, clock, '', '', '', false, '{{}}' \
                 FROM generate_series(1, 50000) AS clock",
                THING.journal
            ),
            begin_journal(THING.journal),
            format!("ANALYZE \"{}_journal\"", THING.journal),
        ] {
            sqlx::query(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
        }
        for after in (0..12).map(|page| page * 4_000) {
            let (entries, _) = journal(&mut connection, THING.journal, "", after, 50).await.unwrap().unwrap();
            let clocks: Vec<i64> = entries.iter().map(|entry| entry.clock).collect();
            assert_eq!(clocks, (after + 1..=after + 50).collect::<Vec<i64>>());
        }
        let plans =
            "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE 'SELECT c.clock%'";
        let plans: (i64, i64) = sqlx::query_as(plans).fetch_one(&mut connection).await.unwrap();
        assert_eq!(plans, (7, 5), "PostgreSQL tries a plan of its own five times before it keeps one");
    }
}
