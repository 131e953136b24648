//! Reads of several entities by a unique lookup, and counts.

use pavise_contract::table::{Lookup, Table};
use pavise_kernel::store::{Filter, Range, StoredRow};
use sqlx::sqlite::SqlitePool;
use sqlx::{AssertSqlSafe, QueryBuilder, Row as _, Sqlite};

use crate::condition::{ROW, expression};
use crate::read::{list_query, push_bounds, range_parts, row_from};

pub(crate) async fn find_many(
    pool: &SqlitePool,
    table: &Table,
    lookup: &Lookup,
    values: &[String],
) -> sqlx::Result<Vec<(String, StoredRow)>> {
    let values = serde_json::to_string(values).unwrap_or_default();
    let rows = sqlx::query(AssertSqlSafe(find_text("", table, lookup))).bind(values).fetch_all(pool).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row_from(row, 1)?))).collect()
}

fn find_text(before: &str, table: &Table, lookup: &Lookup) -> String {
    let (name, of) = (table.name, lookup.name);
    let among = "IN (SELECT value FROM json_each(?1))";
    if lookup.many {
        return format!(
            "{before}SELECT m.value, {ROW} FROM (SELECT value, id AS place FROM \"{name}_lookup\" \
             WHERE name = '{of}' AND value {among}) m CROSS JOIN \"{name}\" ON id = m.place"
        );
    }
    let value = expression(lookup);
    format!("{before}SELECT {value}, {ROW} FROM \"{name}\" WHERE {value} {among}")
}

pub(crate) async fn count(pool: &SqlitePool, table: &Table, filter: &Filter) -> sqlx::Result<u32> {
    count_query("", table, filter).build_query_scalar().fetch_one(pool).await
}

fn count_query(before: &str, table: &Table, filter: &Filter) -> QueryBuilder<Sqlite> {
    let mut query = list_query(&format!("{before}SELECT count(*) FROM ("), table, filter);
    query.push(")");
    query
}

pub(crate) async fn count_ranges(pool: &SqlitePool, table: &Table, ranges: &[Range]) -> sqlx::Result<Vec<u32>> {
    if ranges.is_empty() {
        return Ok(Vec::new());
    }
    let row = ranges_query("", table, ranges).build().fetch_one(pool).await?;
    (0..ranges.len()).map(|at| row.try_get(at)).collect()
}

/// One row with a count for each range. A range is counted in the order of its index, so that no other way to it is taken.
fn ranges_query(before: &str, table: &Table, ranges: &[Range]) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::new(format!("{before}SELECT "));
    for (at, range) in ranges.iter().enumerate() {
        let (from, value, order) = range_parts(table, range);
        let comma = if at == 0 { "" } else { ", " };
        query.push(format!("{comma}(SELECT count(*) FROM (SELECT 1 FROM \"{from} "));
        push_bounds(&mut query, value, range);
        query.push(format!(" ORDER BY {order} LIMIT ")).push_bind(range.limit).push("))");
    }
    query
}

#[cfg(test)]
mod tests {
    use pavise_kernel::conformance::tables::{MIGRATIONS, THING};

    use super::*;
    use crate::SqliteStore;

    #[tokio::test(flavor = "multi_thread")]
    async fn ranges_are_counted_in_their_index() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path().join("plan.sqlite"), &[&MIGRATIONS]).await.unwrap();
        let ranges = ["emails.address", "id"].map(|name| Range {
            lookup: THING.lookup(name),
            prefix: "m".into(),
            limit: 50,
            ..Range::default()
        });
        let rows =
            ranges_query("EXPLAIN QUERY PLAN ", &THING, &ranges).build().fetch_all(&store.readers).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.get("detail")).collect();
        for (table, bounds) in [("thing_lookup", "(name=? AND value>? AND value<?)"), ("thing", "(id>? AND id<?)")] {
            let is_bounded =
                |step: &String| step.starts_with(&format!("SEARCH {table} USING")) && step.ends_with(bounds);
            assert!(plan.iter().any(is_bounded), "{table}: {plan:#?}");
        }
        let spoiled = |step: &String| step.contains("TEMP B-TREE") || step.starts_with("SCAN thing");
        assert!(!plan.iter().any(spoiled), "{plan:#?}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn values_and_counts_are_read_from_an_index() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path().join("plan.sqlite"), &[&MIGRATIONS]).await.unwrap();
        let plan = async |mut query: QueryBuilder<Sqlite>| -> Vec<String> {
            let rows = query.build().fetch_all(&store.readers).await.unwrap();
            rows.iter().map(|row| row.get("detail")).collect()
        };
        for (name, expected) in [
            ("code", "SEARCH thing USING INDEX thing_code (<expr>=?)"),
            ("emails.address", "SEARCH thing USING INDEX sqlite_autoindex_thing_1 (id=?)"),
        ] {
            let text = find_text("EXPLAIN QUERY PLAN ", &THING, THING.lookup(name).unwrap()).replace("?1", "'[]'");
            let plan = plan(QueryBuilder::new(text)).await;
            assert!(plan.contains(&expected.to_owned()), "{name}: {plan:#?}");
            assert!(!plan.iter().any(|step| step.starts_with("SCAN thing")), "{name}: {plan:#?}");
        }
        let filter = Filter { statuses: vec!["NEW".into()], limit: 1_001, ..Filter::default() };
        let plan = plan(count_query("EXPLAIN QUERY PLAN ", &THING, &filter)).await;
        let found =
            plan.iter().any(|step| step.contains("SEARCH thing USING") && step.contains("thing_status (status=?"));
        assert!(found && !plan.iter().any(|step| step.contains("TEMP B-TREE")), "{plan:#?}");
    }
}
