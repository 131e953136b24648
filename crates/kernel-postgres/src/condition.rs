//! The conditions of a filter.

use pavise_contract::table::{Lookup, SortKind, Table};
use pavise_kernel::store::Filter;
use sqlx::{Postgres, QueryBuilder};

/// The columns of a row.
pub(crate) const ROW: &str = "id, owner_id, status, version, clock, created_at, updated_at, doc::text";

/// Adds a filter's conditions.
pub(crate) fn narrow(query: &mut QueryBuilder<Postgres>, table: &Table, filter: &Filter) {
    within(query, table, filter);
    if let Some(owner) = &filter.owner {
        query.push(" AND owner_id = ").push_bind(owner.clone());
    }
    if filter.owned && filter.owner.is_none() {
        query.push(" AND owner_id <> ''");
    }
    match filter.statuses.as_slice() {
        [] => {}
        // An index gives the rows of one status in the order of the list.
        [status] => {
            query.push(" AND status = ").push_bind(status.clone());
        }
        statuses => {
            query.push(" AND status = ANY(").push_bind(statuses.to_vec()).push(")");
        }
    }
    for (lookup, value) in &filter.lookups {
        if lookup.many {
            query.push(format!(
                " AND id IN (SELECT id FROM \"{}_lookup\" WHERE name = '{}' AND value = ",
                table.name, lookup.name
            ));
            query.push_bind(value.clone()).push(")");
        } else {
            query.push(format!(" AND {} = ", expression(lookup))).push_bind(value.clone());
        }
    }
}

/// Adds the condition that a row lies in one of the caller's scopes.
fn within(query: &mut QueryBuilder<Postgres>, table: &Table, filter: &Filter) {
    for (at, (lookup, values)) in filter.within.iter().enumerate() {
        query.push(if at == 0 { " AND (" } else { " OR " });
        if lookup.many {
            let (table, name) = (table.name, lookup.name);
            query.push(format!("id IN (SELECT id FROM \"{table}_lookup\" WHERE name = '{name}' AND value = ANY("));
            query.push_bind(values.clone()).push("))");
        } else {
            query.push(format!("{} = ANY(", expression(lookup))).push_bind(values.clone()).push(")");
        }
    }
    if !filter.within.is_empty() {
        query.push(")");
    }
}

/// The expression that a scalar lookup compares; its index has the same.
pub(crate) fn expression(lookup: &Lookup) -> String {
    let json = lookup.json;
    if lookup.blank {
        return format!("(coalesce(doc->>'{json}', ''))");
    }
    match (lookup.sortable, lookup.fold) {
        (None, true) => format!("lower((doc->>'{json}') COLLATE \"C\")"),
        (None, false) => format!("(doc->>'{json}')"),
        (Some(sortable), true) => format!("(lower(({}) COLLATE \"C\") COLLATE \"C\")", key(sortable, json)),
        (Some(sortable), false) => format!("(({}) COLLATE \"C\")", key(sortable, json)),
    }
}

/// The expression of a value that rises; its index has the same.
fn key(sortable: SortKind, json: &str) -> String {
    let number = |text: String| format!("CAST(CAST(coalesce({text}, '0') AS BIGINT) + {} AS TEXT)", SortKind::ZERO);
    match sortable {
        SortKind::Text | SortKind::Day => format!("coalesce(doc->>'{json}', '')"),
        SortKind::Instant => format!("rtrim(coalesce(doc->>'{json}', ''), 'Z')"),
        SortKind::Number => number(format!("doc->>'{json}'")),
        SortKind::Amount => {
            let amount = number(format!("doc->'{json}'->>'amount'"));
            format!("CASE WHEN doc->>'{json}' IS NULL THEN '' ELSE {amount} END")
        }
    }
}
