//! Several statements in one trip.
//!
//! Each request to a connection crosses to its thread and back, which takes longer than the statement itself. A batch
//! is therefore sent as one script of statements, with all their parameters in a row.

use pavise_kernel::commit_plan::ReadPlan;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Arguments as _, AssertSqlSafe, SqliteConnection};

use crate::condition;

/// Rows that one statement of a script takes.
const ROWS: usize = 64;

/// A value to write.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value<'v> {
    Text(&'v str),
    Integer(i64),
    Bytes(&'v [u8]),
}

/// Statements and their parameters. Scripts with the same text stay prepared.
#[derive(Debug, Default)]
pub(crate) struct Script {
    sql: String,
    arguments: SqliteArguments,
}

impl Script {
    /// A script that starts with these statements.
    pub(crate) fn new(sql: &str) -> Self {
        Self { sql: sql.to_owned(), arguments: SqliteArguments::default() }
    }

    /// Adds a statement with a `?` for each value.
    pub(crate) fn push(&mut self, sql: &str, values: &[Value<'_>]) -> sqlx::Result<()> {
        if !self.sql.is_empty() {
            self.sql.push_str("; ");
        }
        self.sql.push_str(sql);
        values.iter().try_for_each(|value| self.bind(*value))
    }

    /// Adds an insertion. `into` names the table and its columns, of which the first is never null. `conflict` tells
    /// how to handle rows that exist.
    ///
    /// A statement that fails half-way leaves its first half. The caller then rolls back, so that SQLite need not keep
    /// a journal of the statement.
    ///
    /// The rows are filled up with empty ones to a power of two, so that there are few texts to keep prepared. Rows in
    /// one JSON parameter would cost more: `json_each` renders a row again for every column that is read from it.
    pub(crate) fn insert<const COLUMNS: usize>(
        &mut self,
        into: &str,
        rows: &[[Value<'_>; COLUMNS]],
        conflict: &str,
    ) -> sqlx::Result<()> {
        let row = format!("(?{})", ", ?".repeat(COLUMNS.saturating_sub(1)));
        for some in rows.chunks(ROWS) {
            let count = some.len().next_power_of_two();
            let values = vec![row.as_str(); count].join(", ");
            self.push(
                &format!(
                    "INSERT OR FAIL INTO {into} SELECT * FROM (VALUES {values}) WHERE column1 IS NOT NULL {conflict}"
                ),
                &[],
            )?;
            some.iter().flatten().try_for_each(|value| self.bind(*value))?;
            for _ in some.len() * COLUMNS..count * COLUMNS {
                self.arguments.add(None::<i64>).map_err(sqlx::Error::Encode)?;
            }
        }
        Ok(())
    }

    /// Adds the reads of the wanted rows. The first column of a row gives its kind, the second its source.
    pub(crate) fn see(&mut self, wanted: &ReadPlan<'_>) -> sqlx::Result<()> {
        for (journal, keys) in &wanted.keys {
            let sql = format!(
                "SELECT 'record', '{journal}', key, request, answer, version, clock, at FROM \"{journal}_idempotency\" \
                 WHERE key IN (SELECT value FROM json_each(?))"
            );
            self.push(&sql, &[Value::Text(&json(keys)?)])?;
        }
        for (table, ids) in &wanted.ids {
            let sql = format!(
                "SELECT 'version', '{table}', id, version FROM \"{table}\" WHERE id IN (SELECT value FROM json_each(?))"
            );
            self.push(&sql, &[Value::Text(&json(ids)?)])?;
        }
        for (journal, series) in &wanted.series {
            let sql = format!(
                "SELECT 'series', journal, series, last FROM journal_series WHERE journal = '{journal}' \
                 AND series IN (SELECT value FROM json_each(?))"
            );
            let series: Vec<&str> = series.iter().copied().collect();
            self.push(&sql, &[Value::Text(&json(&series)?)])?;
        }
        for ((table, name), (lookup, values)) in &wanted.groups {
            let rows = match lookup {
                None => format!("LEFT JOIN \"{table}\" t ON t.owner_id = v.value"),
                Some(lookup) if lookup.many => format!(
                    "LEFT JOIN \"{table}_lookup\" l ON l.name = '{name}' AND l.value = v.value \
                     LEFT JOIN \"{table}\" t ON t.id = l.id"
                ),
                Some(lookup) => format!("LEFT JOIN \"{table}\" t ON {} = v.value", condition::expression(lookup)),
            };
            let sql = format!(
                "SELECT 'group', '{table}', '{name}', v.value, count(t.id), coalesce(max(t.clock), 0) \
                 FROM json_each(?) v {rows} GROUP BY v.value"
            );
            let values: Vec<&str> = values.iter().copied().collect();
            self.push(&sql, &[Value::Text(&json(&values)?)])?;
        }
        Ok(())
    }

    /// Runs the script and answers the rows of all its statements.
    pub(crate) async fn run(self, connection: &mut SqliteConnection) -> sqlx::Result<Vec<SqliteRow>> {
        sqlx::query_with(AssertSqlSafe(self.sql), self.arguments).fetch_all(connection).await
    }

    fn bind(&mut self, value: Value<'_>) -> sqlx::Result<()> {
        let bound = match value {
            Value::Text(text) => self.arguments.add(text.to_owned()),
            Value::Integer(number) => self.arguments.add(number),
            Value::Bytes(bytes) => self.arguments.add(bytes.to_vec()),
        };
        bound.map_err(sqlx::Error::Encode)
    }
}

/// The parameter for `json_each`.
pub(crate) fn json(texts: &[&str]) -> sqlx::Result<String> {
    serde_json::to_string(texts).map_err(|error| sqlx::Error::Encode(error.into()))
}
