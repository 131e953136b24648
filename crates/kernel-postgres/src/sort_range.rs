//! Pages in the order of a sortable lookup.

use pavise_contract::table::Table;
use pavise_kernel::store::{Filter, StoredRange};
use sqlx::{Postgres, QueryBuilder};

use crate::condition::{ROW, expression, narrow};

/// The page of a filter with a range.
pub(crate) fn query(before: &str, table: &Table, filter: &Filter, sort_range: &StoredRange) -> QueryBuilder<Postgres> {
    let value = expression(sort_range.lookup);
    let mut query = QueryBuilder::new(format!("{before}SELECT {ROW} FROM \"{}\" WHERE true", table.name));
    narrow(&mut query, table, filter);
    if !sort_range.from.is_empty() {
        query.push(format!(" AND {value} >= ")).push_bind(sort_range.from.clone());
    } else if !sort_range.until.is_empty() {
        query.push(format!(" AND {value} > ''"));
    }
    if !sort_range.until.is_empty() {
        query.push(format!(" AND {value} <= ")).push_bind(sort_range.until.clone());
    }
    let (beyond, order) = if sort_range.descending { ("<", "DESC") } else { (">", "ASC") };
    if let Some((at, id)) = &sort_range.after {
        query.push(format!(" AND ({value}, id) {beyond} (")).push_bind(at.clone());
        query.push(", ").push_bind(id.clone()).push(")");
    }
    query.push(format!(" ORDER BY {value} {order}, id {order} LIMIT ")).push_bind(i64::from(filter.limit));
    query
}

#[cfg(test)]
pub(crate) mod tests {
    use pavise_kernel::conformance::tables::{MIGRATIONS, THING};
    use pavise_testkit::postgres;
    use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _};

    use super::*;
    use crate::PostgresStore;

    /// A connection that reads no table without an index, as it would read tables as small as a test's.
    pub(crate) async fn indexed() -> PgConnection {
        let url = postgres::make_database().await.unwrap();
        PostgresStore::connect(&url, 2, &[&MIGRATIONS]).await.unwrap();
        let mut connection = PgConnection::connect(&url).await.unwrap();
        for setting in ["enable_seqscan", "enable_sort", "enable_bitmapscan"] {
            sqlx::query(AssertSqlSafe(format!("SET {setting} = off"))).execute(&mut connection).await.unwrap();
        }
        connection
    }

    async fn plan(connection: &mut PgConnection, mut query: QueryBuilder<Postgres>) -> Vec<String> {
        let rows = query.build().fetch_all(connection).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_page_in_order_is_read_from_an_index_alone() {
        let mut connection = indexed().await;
        for (owner, statuses, lookup, index) in [
            (None, vec![], "due_on", "thing_due_on"),
            (None, vec![], "total", "thing_total"),
            (Some("ann"), vec![], "due_on", "thing_owner_id_due_on"),
            (None, vec!["NEW".to_owned()], "seen_at", "thing_status_seen_at"),
        ] {
            for (from, after) in [("", None), ("m", None), ("m", Some(("n".to_owned(), "id-7".to_owned())))] {
                for descending in [false, true] {
                    let lookup = THING.lookup(lookup).unwrap();
                    let after = after.clone();
                    let sort_range =
                        StoredRange { lookup, from: from.to_owned(), until: "x".to_owned(), descending, after };
                    let filter = Filter {
                        owner: owner.map(str::to_owned),
                        statuses: statuses.clone(),
                        limit: 50,
                        ..Filter::default()
                    };
                    let plan = plan(&mut connection, query("EXPLAIN ", &THING, &filter, &sort_range)).await;
                    let shown = plan.join("\n");
                    assert!(plan.iter().any(|step| step.contains(&format!(" using {index} on thing"))), "{shown}");
                    let bounds = plan.iter().find(|step| step.contains("Index Cond")).unwrap();
                    let bounded = bounds.contains(" <= ") && (bounds.contains(" > ") || bounds.contains(" >= "));
                    assert!(bounded && !shown.contains("Sort") && !shown.contains("Filter"), "{shown}");
                }
            }
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn filters_that_have_one_index_are_read_from_it() {
        let mut connection = indexed().await;
        let brand = (THING.lookup("brand").unwrap(), "acme".to_owned());
        for (lookups, index) in [(vec![], "thing_status"), (vec![brand], "thing_status_brand")] {
            let before = Some("id-7".to_owned());
            let filter = Filter { statuses: vec!["NEW".into()], lookups, before, limit: 50, ..Filter::default() };
            let plan = plan(&mut connection, crate::read::list_query("EXPLAIN ", &THING, &filter)).await;
            let shown = plan.join("\n");
            assert!(plan.iter().any(|step| step.contains(&format!(" using {index} on thing"))), "{shown}");
            assert!(!shown.contains("Sort") && !shown.contains("Filter"), "{shown}");
        }
    }
}
