//! Pages in the order of a sortable lookup.

use pavise_contract::table::Table;
use pavise_kernel::store::{Filter, StoredRange};
use sqlx::{QueryBuilder, Sqlite};

use crate::condition::{ROW, expression, narrow};

/// The page of a filter with a range. After a place, it is the rest of the place's value and what comes beyond that
/// value, each from the index, because SQLite seeks no pair of an expression and an id.
pub(crate) fn query(before: &str, table: &Table, filter: &Filter, sort_range: &StoredRange) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::new(before);
    let (beyond, order) = if sort_range.descending { ("<", "DESC") } else { (">", "ASC") };
    let Some((value, id)) = &sort_range.after else {
        part(&mut query, table, filter, sort_range, None);
        query.push(format!(" ORDER BY rise {order}, id {order} LIMIT ")).push_bind(filter.limit);
        return query;
    };
    query.push(format!("SELECT {ROW} FROM (SELECT * FROM ("));
    part(&mut query, table, filter, sort_range, Some(("=", value)));
    query.push(format!(" AND id {beyond} ")).push_bind(id.clone());
    query.push(format!(" ORDER BY id {order} LIMIT ")).push_bind(filter.limit);
    query.push(") UNION ALL SELECT * FROM (");
    part(&mut query, table, filter, sort_range, Some((beyond, value)));
    query.push(format!(" ORDER BY rise {order}, id {order} LIMIT ")).push_bind(filter.limit);
    query.push(format!(")) ORDER BY rise {order}, id {order} LIMIT ")).push_bind(filter.limit);
    query
}

/// The rows of a range, without an order: those whose value compares so with the place's value. The place lies within
/// the range, and with its bounds beside its value, SQLite would take an index without the filter.
fn part(
    query: &mut QueryBuilder<Sqlite>,
    table: &Table,
    filter: &Filter,
    sort_range: &StoredRange,
    place: Option<(&str, &str)>,
) {
    let value = expression(sort_range.lookup);
    query.push(format!("SELECT {ROW}, {value} AS rise FROM \"{}\" WHERE true", table.name));
    narrow(query, table, filter);
    if let Some((compares, at)) = place {
        query.push(format!(" AND {value} {compares} ")).push_bind(at.to_owned());
        if compares == "=" {
            return;
        }
    }
    if !sort_range.from.is_empty() {
        query.push(format!(" AND {value} >= ")).push_bind(sort_range.from.clone());
    } else if !sort_range.until.is_empty() {
        query.push(format!(" AND {value} > ''"));
    }
    if !sort_range.until.is_empty() {
        query.push(format!(" AND {value} <= ")).push_bind(sort_range.until.clone());
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::conformance::tables::{MIGRATIONS, THING};
    use sqlx::Row as _;

    use super::*;
    use crate::SqliteStore;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_page_in_order_is_read_from_an_index_alone() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path().join("plan.sqlite"), &[&MIGRATIONS]).await.unwrap();
        for (owner, statuses, lookup, index) in [
            (None, vec![], "due_on", "thing_due_on ("),
            (None, vec![], "total", "thing_total ("),
            (Some("ann"), vec![], "due_on", "thing_owner_id_due_on (owner_id=? AND "),
            (None, vec!["NEW".to_owned()], "seen_at", "thing_status_seen_at (status=? AND "),
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
                    let rows = query("EXPLAIN QUERY PLAN ", &THING, &filter, &sort_range)
                        .build()
                        .fetch_all(&store.readers)
                        .await
                        .unwrap();
                    let plan: Vec<String> = rows.iter().map(|row| row.get("detail")).collect();
                    let wanted = format!("SEARCH thing USING INDEX {index}");
                    let reads: Vec<&String> = plan.iter().filter(|step| step.contains(" thing")).collect();
                    assert!(!reads.is_empty() && reads.iter().all(|step| step.starts_with(&wanted)), "{plan:#?}");
                    // Only the two parts of a page, which are read at that point, may be sorted again.
                    let sorted = plan.iter().filter(|step| step.contains("TEMP B-TREE")).count();
                    assert!(sorted <= usize::from(sort_range.after.is_some()), "{plan:#?}");
                }
            }
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn filters_that_have_one_index_are_read_from_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path().join("plan.sqlite"), &[&MIGRATIONS]).await.unwrap();
        let brand = (THING.lookup("brand").unwrap(), "acme".to_owned());
        for (lookups, index) in [(vec![], "thing_status (status=?"), (vec![brand], "thing_status_brand (status=? AND ")]
        {
            let before = Some("id-7".to_owned());
            let filter = Filter { statuses: vec!["NEW".into()], lookups, before, limit: 50, ..Filter::default() };
            let mut query = crate::read::list_query("EXPLAIN QUERY PLAN ", &THING, &filter);
            let rows = query.build().fetch_all(&store.readers).await.unwrap();
            let plan: Vec<String> = rows.iter().map(|row| row.get("detail")).collect();
            assert_eq!(plan.len(), 1, "{plan:#?}");
            assert!(plan[0].starts_with(&format!("SEARCH thing USING INDEX {index}")), "{plan:#?}");
        }
    }
}
