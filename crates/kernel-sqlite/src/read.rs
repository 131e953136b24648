//! Reads. Each is one statement, so that it sees one state.
//!
//! Names of tables, journals and lookups come from the contract, never from a request. They are written into the
//! statement, and values are bound.

use pavise_contract::table::{Lookup, Table};
use pavise_kernel::store::{Entry, Filter, IdempotencyRecord, JournalHead, Match, Range, RangePage, StoredRow};
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

/// Reads a page as one row: each row that SQLite hands over costs more than the search for it, because it goes from one
/// thread to another. No text that is stored has the NUL character, which separates the values here.
pub(crate) async fn range(pool: &SqlitePool, table: &Table, range: &Range) -> sqlx::Result<RangePage> {
    let row = range_query("", table, range).build().fetch_one(pool).await?;
    let number =
        |column: usize| row.try_get::<i64, _>(column).map(|number| usize::try_from(number).unwrap_or_default());
    let place = |column: usize| -> sqlx::Result<Option<(String, String)>> {
        let place = row.try_get::<Option<&str>, _>(column)?.and_then(|place| place.split_once('\0'));
        Ok(place.map(|(value, id)| (value.to_owned(), id.to_owned())))
    };
    let (read, chosen) = (number(0)?, number(2)?);
    let mut matches = row.try_get::<Option<&str>, _>(4)?.map(matches_of).transpose()?.unwrap_or_default();
    matches.sort_unstable_by(|one, other| (&one.value, &one.id).cmp(&(&other.value, &other.id)));
    let is_cut = range.most > 0 && !range.skips && chosen >= usize::try_from(range.most).unwrap_or(usize::MAX);
    let goes_on = is_cut || read >= usize::try_from(range.limit).unwrap_or(usize::MAX);
    Ok(RangePage { matches, read, last: place(if is_cut { 3 } else { 1 })?, goes_on })
}

/// The table of a range's values as far as the condition of its name, the value, and the order.
pub(crate) fn range_parts(table: &Table, range: &Range) -> (String, &'static str, &'static str) {
    match range.lookup {
        Some(lookup) => (format!("{}_lookup\" WHERE name = '{}' AND", table.name, lookup.name), "value", "value, id"),
        None => (format!("{}\" WHERE", table.name), "id", "id"),
    }
}

/// Adds the bounds of a range's values.
pub(crate) fn push_bounds(query: &mut QueryBuilder<Sqlite>, value: &str, range: &Range) {
    if range.exact {
        query.push(format!("{value} = ")).push_bind(range.prefix.clone());
    } else {
        query.push(format!("{value} >= ")).push_bind(range.prefix.clone());
        query.push(format!(" AND {value} < ")).push_bind(range.end());
    }
}

/// Reads the values first and then the rows of those that are chosen, so that the filter never makes the engine read
/// further. The columns: how many values there are and the last one, how many are chosen and the last one, and the matches.
fn range_query(before: &str, table: &Table, range: &Range) -> QueryBuilder<Sqlite> {
    let (from, value, order) = range_parts(table, range);
    let mut query = QueryBuilder::new(format!("{before}WITH range_page AS MATERIALIZED ("));
    if range.skips {
        query.push(format!("SELECT m.value, m.place, {ROW} FROM "));
        // The filter's index comes first, so that the time tells nothing of rows that the filter excludes.
        query.push(if range.filter.is_narrow() { format!("\"{}\" CROSS JOIN (", table.name) } else { "(".to_owned() });
    }
    query.push(format!("SELECT {value} AS value, id AS place FROM \"{from} "));
    push_bounds(&mut query, value, range);
    match (&range.after, range.lookup) {
        (Some((after, id)), Some(_)) => {
            query.push(" AND (value, id) > (").push_bind(after.clone()).push(", ").push_bind(id.clone()).push(")");
        }
        (Some((_, id)), None) => {
            query.push(" AND id > ").push_bind(id.clone());
        }
        (None, _) => {}
    }
    // A text with a part that is NULL is NULL, and is left out.
    let parts = format!("value, place, {}", ROW.trim_start_matches("id, ")).replace(", ", " || char(0) || ");
    let matches = format!("group_concat({parts}, char(0))");
    let last = "max(value || char(0) || place)";
    if range.skips {
        let joined = if range.filter.is_narrow() { String::new() } else { format!(" CROSS JOIN \"{}\"", table.name) };
        query.push(format!(") m{joined} ON id = m.place"));
        leave_out(&mut query, table, range);
        need(&mut query, table, range);
        narrow(&mut query, table, &range.filter);
        query.push(" ORDER BY m.value, m.place LIMIT ").push_bind(range.limit);
        query.push(format!(") SELECT count(*), {last}, count(*), {last}, {matches} FROM range_page"));
        return query;
    }
    query.push(format!(" ORDER BY {order} LIMIT ")).push_bind(range.limit);
    query.push("), range_choice AS MATERIALIZED (SELECT m.value, m.place FROM ");
    // The values of an entity lie close together: it is compared once for all of them.
    if range.once && range.lookup.is_some() {
        query.push("(SELECT min(value) AS value, place FROM range_page m GROUP BY place HAVING true");
        need(&mut query, table, range);
        query.push(") m WHERE true");
    } else {
        query.push("range_page m WHERE true");
        need(&mut query, table, range);
    }
    leave_out(&mut query, table, range);
    let most = if range.most == 0 { -1 } else { i64::from(range.most) };
    query.push(" ORDER BY m.value, m.place LIMIT ").push_bind(most);
    query.push(format!(
        ") SELECT (SELECT count(*) FROM range_page), (SELECT {last} FROM range_page), (SELECT count(*) FROM range_choice), \
         (SELECT {last} FROM range_choice), (SELECT {matches} FROM (SELECT m.value, m.place, {ROW} FROM range_choice m \
         CROSS JOIN \"{}\" ON id = m.place",
        table.name
    ));
    narrow(&mut query, table, &range.filter);
    query.push("))");
    query
}

/// Adds the conditions of the entities that are left out, and of the further values of an entity.
fn leave_out(query: &mut QueryBuilder<Sqlite>, table: &Table, range: &Range) {
    if !range.without.is_empty() {
        let without = serde_json::to_string(&range.without).unwrap_or_default();
        query.push(" AND m.place NOT IN (SELECT value FROM json_each(").push_bind(without).push("))");
    }
    if let Some(lookup) = range.lookup.filter(|_| range.once) {
        let (table, name) = (table.name, lookup.name);
        query
            .push(format!(
                " AND NOT EXISTS (SELECT 1 FROM \"{table}_lookup\" n WHERE n.id = m.place AND n.name = '{name}' AND \
                 n.value >= "
            ))
            .push_bind(range.prefix.clone())
            .push(" AND n.value < m.value)");
    }
}

/// Adds the conditions of the values that are needed besides.
fn need(query: &mut QueryBuilder<Sqlite>, table: &Table, range: &Range) {
    for needed in &range.needs {
        let (table, name) = (table.name, needed.lookup.name);
        query.push(format!(
            " AND EXISTS (SELECT 1 FROM \"{table}_lookup\" n WHERE n.id = m.place AND n.name = '{name}' AND n.value "
        ));
        if needed.exact {
            query.push("= ").push_bind(needed.prefix.clone()).push(")");
        } else {
            query
                .push(">= ")
                .push_bind(needed.prefix.clone())
                .push(" AND n.value < ")
                .push_bind(needed.end())
                .push(")");
        }
    }
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

/// The matches of a page: the value and the columns of a row for each.
fn matches_of(page: &str) -> sqlx::Result<Vec<Match>> {
    let mut parts = page.split('\0');
    let mut matches = Vec::new();
    while let Some(value) = parts.next() {
        let mut text = || parts.next().ok_or_else(|| sqlx::Error::Decode("a page ends within a row".into()));
        let number = |text: &str| text.parse::<i64>().map_err(|error| sqlx::Error::Decode(error.into()));
        let id = text()?.to_owned();
        let row = StoredRow {
            id: id.clone(),
            owner_id: text()?.to_owned(),
            status: text()?.to_owned(),
            version: number(text()?)?,
            clock: number(text()?)?,
            created_at: number(text()?)?,
            updated_at: number(text()?)?,
            doc: text()?.to_owned(),
        };
        matches.push(Match { value: value.to_owned(), id, row });
    }
    Ok(matches)
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
    use pavise_kernel::store::NeededValue;

    use super::*;
    use crate::SqliteStore;

    /// The flags of `.cargo/config.toml` are in effect.
    #[tokio::test(flavor = "multi_thread")]
    async fn the_library_is_built_as_many_threads_need_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path().join("built.sqlite"), &[&MIGRATIONS]).await.unwrap();
        for (option, expected) in
            [("ENABLE_QPSG", true), ("DEFAULT_MEMSTATUS=0", true), ("ENABLE_MEMORY_MANAGEMENT", false)]
        {
            let used: bool = sqlx::query_scalar("SELECT sqlite_compileoption_used(?1)")
                .bind(option)
                .fetch_one(&store.readers)
                .await
                .unwrap();
            assert_eq!(used, expected, "{option}");
        }
    }

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
            let needs = vec![
                NeededValue { lookup: THING.lookup("tags").unwrap(), prefix: "a".into(), exact: false },
                NeededValue { lookup: THING.lookup("tags").unwrap(), prefix: "all".into(), exact: true },
            ];
            let lookup = THING.lookup(name);
            let without = vec!["id-002".into()];
            let range = Range {
                lookup,
                prefix: "m".into(),
                exact: false,
                after,
                filter,
                limit: 50,
                most: 20,
                needs,
                without,
                once: true,
                skips: false,
            };
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
            // SQLite reads a value of an entity as a further table where it can.
            let needed: Vec<String> = plan.iter().map(|step| step.replace("SEARCH n EXISTS ", "SEARCH n ")).collect();
            for expected in [
                ["SEARCH n USING COVERING INDEX thing_lookup_id (id=? AND name=? AND value>? AND value<?)"; 2],
                [
                    "SEARCH n USING PRIMARY KEY (name=? AND value=? AND id=?)",
                    "SEARCH n USING COVERING INDEX thing_lookup_id (id=? AND name=? AND value=?)",
                ],
            ] {
                assert!(needed.iter().any(|step| expected.contains(&step.as_str())), "{name}: {plan:#?}");
            }
            // A page has been read at that point, and only a page may be sorted again.
            let mut before_page = plan.iter().take_while(|step| *step != "SCAN m");
            let spoiled = before_page.any(|step| step.contains("TEMP B-TREE"))
                || plan.iter().any(|step| step.starts_with("SCAN thing"));
            assert!(!spoiled, "{name}: {plan:#?}");
        }
    }
}
