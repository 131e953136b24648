//! Reads of several entities by a unique lookup, and counts.

use pavise_contract::table::{Lookup, Table};
use pavise_kernel::store::{Filter, Range, StoredRow};
use sqlx::postgres::{PgConnection, Postgres};
use sqlx::{AssertSqlSafe, QueryBuilder, Row as _};

use crate::condition::{ROW, expression};
use crate::read::{list_query, push_bounds, range_parts, row_from};

pub(crate) async fn find_many(
    connection: &mut PgConnection,
    table: &Table,
    lookup: &Lookup,
    values: &[String],
) -> sqlx::Result<Vec<(String, StoredRow)>> {
    let rows = sqlx::query(AssertSqlSafe(find_text(table, lookup))).bind(values).fetch_all(connection).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row_from(row, 1)?))).collect()
}

fn find_text(table: &Table, lookup: &Lookup) -> String {
    let (name, of) = (table.name, lookup.name);
    if lookup.many {
        return format!(
            "SELECT m.value, {ROW} FROM (SELECT value, id AS place FROM \"{name}_lookup\" \
             WHERE name = '{of}' AND value = ANY($1)) m JOIN \"{name}\" ON id = m.place"
        );
    }
    let value = expression(lookup);
    format!("SELECT {value}, {ROW} FROM \"{name}\" WHERE {value} = ANY($1)")
}

pub(crate) async fn count(connection: &mut PgConnection, table: &Table, filter: &Filter) -> sqlx::Result<u32> {
    let count: i64 = count_query("", table, filter).build_query_scalar().fetch_one(connection).await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

fn count_query(before: &str, table: &Table, filter: &Filter) -> QueryBuilder<Postgres> {
    let mut query = list_query(&format!("{before}SELECT count(*) FROM ("), table, filter);
    query.push(") counted");
    query
}

pub(crate) async fn count_ranges(
    connection: &mut PgConnection,
    table: &Table,
    ranges: &[Range],
) -> sqlx::Result<Vec<u32>> {
    if ranges.is_empty() {
        return Ok(Vec::new());
    }
    let row = ranges_query("", table, ranges).build().fetch_one(connection).await?;
    let count = |at: usize| row.try_get::<i64, _>(at).map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    (0..ranges.len()).map(count).collect()
}

/// One row with a count for each range. A range is counted in the order of its index, so that no other way to it is taken.
fn ranges_query(before: &str, table: &Table, ranges: &[Range]) -> QueryBuilder<Postgres> {
    let mut query = QueryBuilder::new(format!("{before}SELECT "));
    for (at, range) in ranges.iter().enumerate() {
        let (from, value, order) = range_parts(table, range);
        let comma = if at == 0 { "" } else { ", " };
        query.push(format!("{comma}(SELECT count(*) FROM (SELECT 1 FROM \"{from} "));
        push_bounds(&mut query, value, range);
        query.push(format!(" ORDER BY {order} LIMIT ")).push_bind(i64::from(range.limit)).push(") counted)");
    }
    query
}

#[cfg(test)]
mod tests {
    use pavise_kernel::conformance::tables::THING;

    use super::*;
    use crate::sort_range::tests::indexed;

    #[tokio::test(flavor = "multi_thread")]
    async fn ranges_are_counted_in_their_index() {
        let mut connection = indexed().await;
        let ranges = ["emails.address", "id"].map(|name| Range {
            lookup: THING.lookup(name),
            prefix: "m".into(),
            limit: 50,
            ..Range::default()
        });
        let rows = ranges_query("EXPLAIN ", &THING, &ranges).build().fetch_all(&mut connection).await.unwrap();
        let shown = rows.iter().map(|row| row.get::<String, _>(0)).collect::<Vec<_>>().join("\n");
        let found =
            ["thing_lookup_prefix", "thing_pkey"].iter().all(|index| shown.contains(&format!(" using {index} ")));
        assert!(found && !shown.contains("Seq Scan") && !shown.contains("Sort"), "{shown}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn values_and_counts_are_read_from_an_index() {
        let mut connection = indexed().await;
        for (name, indexes) in [("code", vec!["thing_code"]), ("emails.address", vec!["thing_lookup_", "thing_pkey"])] {
            let text = find_text(&THING, THING.lookup(name).unwrap()).replace("$1", "'{a,b}'::text[]");
            let rows = sqlx::query(AssertSqlSafe(format!("EXPLAIN {text}"))).fetch_all(&mut connection).await.unwrap();
            let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
            let shown = plan.join("\n");
            assert!(indexes.iter().all(|index| shown.contains(&format!(" using {index}"))), "{name}: {shown}");
            assert!(!shown.contains("Seq Scan"), "{name}: {shown}");
        }
        let filter = Filter { statuses: vec!["NEW".into()], limit: 1_001, ..Filter::default() };
        let rows = count_query("EXPLAIN ", &THING, &filter).build().fetch_all(&mut connection).await.unwrap();
        let shown = rows.iter().map(|row| row.get::<String, _>(0)).collect::<Vec<_>>().join("\n");
        assert!(shown.contains(" using thing_status on thing") && !shown.contains("Sort"), "{shown}");
    }
}
