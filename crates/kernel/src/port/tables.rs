//! The SQL of an aggregate's tables, for the first migration on each engine.

use std::fmt::Write as _;

use pavise_contract::table::{Lookup, SortKind, Table};

/// The terms in which the engines' SQL differs.
#[derive(Debug, Clone, Copy)]
pub struct Dialect {
    /// The engine, named as the folder of its migrations.
    pub engine: &'static str,
    /// The type of an id, which is compared byte by byte.
    pub id: &'static str,
    /// The type of a document.
    pub doc: &'static str,
    /// The type of a document in a journal.
    pub past: &'static str,
    /// The type of a clock that is a primary key.
    pub clock: &'static str,
    /// The type of bytes.
    pub bytes: &'static str,
    /// The text after a table of documents.
    pub rows: &'static str,
    /// The text after a side table of lookups.
    pub sides: &'static str,
    /// The index of a side table for prefix searches, on an engine whose primary key does not serve them.
    pub beginnings: Option<&'static str>,
    /// The suffix of a text that is compared byte by byte, on an engine whose texts have the order of a language.
    pub bytewise: &'static str,
}

/// The tables of a service: its aggregates that share a journal, the journal and the idempotency records.
#[must_use]
pub fn create(journal: &str, aggregates: &[&Table], dialect: &Dialect) -> String {
    let mut sql = String::new();
    for table in aggregates {
        sql.push_str(&aggregate_sql(table, dialect));
    }
    let Dialect { id, past, clock, bytes, .. } = dialect;
    let _ = write!(
        sql,
        "CREATE TABLE {journal}_journal (
    clock {clock} PRIMARY KEY,
    action TEXT NOT NULL,
    entity_table TEXT NOT NULL,
    entity_id {id} NOT NULL,
    owner_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    subject TEXT NOT NULL,
    request_id TEXT NOT NULL,
    removed BOOLEAN NOT NULL,
    doc {past} NOT NULL
);
CREATE INDEX {journal}_journal_entity ON {journal}_journal (entity_id, clock);

CREATE TABLE {journal}_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer {bytes} NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX {journal}_idempotency_at ON {journal}_idempotency (at);
"
    );
    sql
}

/// The table of an aggregate, the side table of its repeated lookups, and an index for each lookup.
#[must_use]
pub fn aggregate_sql(table: &Table, dialect: &Dialect) -> String {
    let (name, Dialect { id, doc, rows, .. }) = (table.name, dialect);
    let mut sql = format!(
        "CREATE TABLE {name} (
    id {id} PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc {doc}
){rows};
CREATE INDEX {name}_owner ON {name} (owner_id, id);
"
    );
    for lookup in table.lookups.iter().filter(|lookup| !lookup.many) {
        sql.push_str(&index_sql(table, lookup, dialect));
    }
    for parts in table.indexes {
        sql.push_str(&joint_index_sql(table, parts, dialect));
    }
    if table.lookups.iter().any(|lookup| lookup.many) {
        sql.push('\n');
        sql.push_str(&side_table_sql(table, dialect));
    }
    sql.push('\n');
    sql
}

/// The side table of repeated lookups, with their indexes.
#[must_use]
pub fn side_table_sql(table: &Table, dialect: &Dialect) -> String {
    let (name, Dialect { id, sides, beginnings, .. }) = (table.name, dialect);
    let mut sql = format!(
        "CREATE TABLE {name}_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id {id} NOT NULL,
    PRIMARY KEY (name, value, id)
){sides};
CREATE INDEX {name}_lookup_id ON {name}_lookup (id);
"
    );
    if let Some(columns) = beginnings
        && table.lookups.iter().any(|lookup| lookup.prefix)
    {
        let _ = writeln!(sql, "CREATE INDEX {name}_lookup_prefix ON {name}_lookup ({columns});");
    }
    for lookup in table.lookups.iter().filter(|lookup| lookup.many) {
        sql.push_str(&index_sql(table, lookup, dialect));
    }
    sql
}

/// The index of a lookup. A repeated lookup that is not unique has none, because the side table's primary key serves
/// it.
#[must_use]
pub fn index_sql(table: &Table, lookup: &Lookup, dialect: &Dialect) -> String {
    let (name, of, path) = (table.name, lookup.name.replace('.', "_"), lookup.name);
    let mut field = field(lookup, dialect);
    for part in lookup.within.iter().rev() {
        field = format!("(coalesce(doc->>'{}', '')), {field}", part.json);
    }
    match (lookup.many, lookup.unique) {
        (true, true) => format!("CREATE UNIQUE INDEX {name}_{of} ON {name}_lookup (value) WHERE name = '{path}';\n"),
        (true, false) => String::new(),
        (false, true) => format!("CREATE UNIQUE INDEX {name}_{of} ON {name} ({field});\n"),
        (false, false) => format!("CREATE INDEX {name}_{of} ON {name} ({field}, id);\n"),
    }
}

/// The index over several parts: `owner_id`, `status` and lookups.
#[must_use]
pub fn joint_index_sql(table: &Table, parts: &[&str], dialect: &Dialect) -> String {
    let name = table.name;
    let column = |part: &&str| table.lookup(part).map_or_else(|| (*part).to_owned(), |lookup| field(lookup, dialect));
    let columns: Vec<String> = parts.iter().map(column).collect();
    format!("CREATE INDEX {name}_{} ON {name} ({}, id);\n", parts.join("_"), columns.join(", "))
}

/// The expression of a scalar lookup in an index.
fn field(lookup: &Lookup, Dialect { bytewise, .. }: &Dialect) -> String {
    let json = lookup.json;
    match lookup.sortable {
        None if lookup.fold => format!("lower(doc->>'{json}')"),
        None => format!("(doc->>'{json}')"),
        Some(sortable) => {
            let key = key(sortable, json);
            let key = if lookup.fold { format!("lower(({key}){bytewise})") } else { key };
            format!("({key}){bytewise}")
        }
    }
}

/// The text of a value that rises.
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
