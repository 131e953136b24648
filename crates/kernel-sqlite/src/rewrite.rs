//! Writes documents anew, as sealing and erasing of earlier ones do.

use pavise_contract::table::Table;
use pavise_kernel::store::{ErasedTraces, PersonTraces, RowRewrite};
use sqlx::{AssertSqlSafe, SqliteConnection, SqlitePool};

use crate::fault::Fault;
use crate::script::json;

/// Writes all of them or none. A failure closes the connection, which ends the transaction.
pub(crate) async fn rewrite(
    connection: &mut SqliteConnection,
    journal: &str,
    rows: &[RowRewrite],
    entries: &[(i64, String)],
) -> Result<(), Fault> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    for (clock, doc) in entries {
        let sql = format!("UPDATE \"{journal}_journal\" SET doc = ?2 WHERE clock = ?1");
        sqlx::query(AssertSqlSafe(sql)).bind(clock).bind(doc).execute(&mut *connection).await?;
    }
    for row in rows {
        let table = row.table.name;
        let sql = format!("UPDATE \"{table}\" SET doc = ?3 WHERE id = ?1 AND version = ?2");
        let update = sqlx::query(AssertSqlSafe(sql)).bind(&row.id).bind(row.version).bind(&row.doc);
        let is_there = update.execute(&mut *connection).await?.rows_affected() > 0;
        let Some(lookups) = row.lookups.as_ref().filter(|_| is_there) else { continue };
        let sql = format!("DELETE FROM \"{table}_lookup\" WHERE id = ?");
        sqlx::query(AssertSqlSafe(sql)).bind(&row.id).execute(&mut *connection).await?;
        let sql = format!("INSERT OR IGNORE INTO \"{table}_lookup\" (name, value, id) VALUES (?, ?, ?)");
        for (lookup, value) in lookups {
            let insert = sqlx::query(AssertSqlSafe(sql.clone())).bind(lookup.name).bind(value).bind(&row.id);
            insert.execute(&mut *connection).await?;
        }
    }
    sqlx::query("COMMIT").execute(&mut *connection).await.map_err(Fault::During)?;
    Ok(())
}

/// Erases what is left of a person in kept answers and in causes, all of it or nothing.
pub(crate) async fn erase_traces(
    connection: &mut SqliteConnection,
    traces: &PersonTraces,
) -> Result<ErasedTraces, Fault> {
    let clocks: Vec<String> = traces.clocks.iter().map(i64::to_string).collect();
    let clocks = format!("[{}]", clocks.join(","));
    let entities: Vec<&str> = traces.entities.iter().map(String::as_str).collect();
    let entities = json(&entities)?;
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let sql = format!(
        "UPDATE \"{}_idempotency\" SET answer = ?1 WHERE answer <> ?1 AND (clock IN (SELECT value FROM json_each(?2)) \
         OR (?3 <> '' AND instr(answer, CAST(?3 AS BLOB)) > 0))",
        traces.journal
    );
    let update = sqlx::query(AssertSqlSafe(sql)).bind(&traces.answer).bind(clocks).bind(&traces.person);
    let answers = update.execute(&mut *connection).await?.rows_affected();
    let sql = "UPDATE worker_aside SET cause = ?1 WHERE cause <> ?1 AND (entity_id IN (SELECT value FROM json_each(?2)) \
               OR (?3 <> '' AND (entity_id = ?3 OR instr(entry, CAST(?3 AS BLOB)) > 0)))";
    let update = sqlx::query(sql).bind(&traces.cause).bind(entities).bind(&traces.person);
    let causes = update.execute(&mut *connection).await?.rows_affected();
    sqlx::query("COMMIT").execute(&mut *connection).await.map_err(Fault::During)?;
    Ok(ErasedTraces { answers, causes })
}

/// The values of the repeated lookups of entities: id, name of the lookup, value.
pub(crate) async fn lookup_values(
    readers: &SqlitePool,
    table: &Table,
    ids: &[String],
) -> sqlx::Result<Vec<(String, String, String)>> {
    let sql =
        format!("SELECT id, name, value FROM \"{}_lookup\" WHERE id IN (SELECT value FROM json_each(?))", table.name);
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    sqlx::query_as(AssertSqlSafe(sql)).bind(json(&ids)?).fetch_all(readers).await
}
