//! `pavise contract migration`: the first SQL of an aggregate's tables.

use pavise_contract::table::Table;
use pavise_kernel::tables::{self, Dialect};

use crate::domains;

/// The engines, in the order in which they are printed.
pub const DIALECTS: [&Dialect; 2] = [&pavise_kernel_sqlite::DIALECT, &pavise_kernel_postgres::DIALECT];

/// The tables of the aggregate `entity` for both engines, or the additions of its `lookup`.
///
/// # Errors
/// When there is no such aggregate or lookup, or several aggregates have the name.
pub fn print(entity: &str, lookup: Option<&str>) -> anyhow::Result<String> {
    let found: Vec<&'static Table> = domains::tables()
        .map(|entry| entry.table)
        .filter(|table| table.message == entity || table.message.rsplit('.').next() == Some(entity))
        .collect();
    let [table] = found.as_slice() else {
        let names: Vec<&str> = found.iter().map(|table| table.message).collect();
        anyhow::bail!("{} aggregates are called {entity}: {}", found.len(), names.join(", "));
    };
    let domain = table.message.split('.').nth(1).unwrap_or_default();
    let mut text = String::new();
    for dialect in DIALECTS {
        let sql = match lookup {
            Some(lookup) => added(table, lookup, dialect)?,
            None => whole(table, dialect),
        };
        text.push_str(&format!("-- migrations/{}/{domain}/NNNN_{}.sql\n{sql}\n", dialect.engine, table.name));
    }
    Ok(text)
}

/// The aggregate's tables, with the journal unless an aggregate declared before it has the same journal.
fn whole(table: &'static Table, dialect: &Dialect) -> String {
    let first = domains::tables().find(|entry| entry.table.journal == table.journal);
    if first.is_some_and(|first| first.table.name == table.name) {
        return tables::create(table.journal, &[table], dialect);
    }
    tables::aggregate_sql(table, dialect)
}

/// The indexes of a lookup or of `status`, with the side table where no other lookup needs it.
fn added(table: &'static Table, lookup: &str, dialect: &Dialect) -> anyhow::Result<String> {
    let joint_indexes = table.indexes.iter().filter(|parts| parts.last() == Some(&lookup));
    let joint_indexes: String = joint_indexes.map(|parts| tables::joint_index_sql(table, parts, dialect)).collect();
    let Some(found) = table.lookup(lookup) else {
        let known: Vec<&str> = table.lookups.iter().map(|lookup| lookup.name).collect();
        anyhow::ensure!(
            !joint_indexes.is_empty(),
            "{} has no lookup {lookup}; it has {}",
            table.message,
            known.join(", ")
        );
        return Ok(joint_indexes);
    };
    let alone = table.lookups.iter().filter(|one| one.many).count() == 1;
    let own = match (found.many, alone) {
        (true, true) => tables::side_table_sql(table, dialect),
        _ => tables::index_sql(table, found, dialect),
    };
    Ok(own + &joint_indexes)
}
