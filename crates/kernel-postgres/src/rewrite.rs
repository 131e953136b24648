//! Writes documents anew, as sealing and erasing of earlier ones do.

use pavise_contract::table::Table;
use pavise_kernel::store::{ErasedTraces, PersonTraces, RowRewrite};
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgConnection;

use crate::connections::Fault;

/// Writes all of them or none, under the lock of the journal, as each of its writers does.
pub(crate) async fn rewrite(
    connection: &mut PgConnection,
    journal: &str,
    rows: &[RowRewrite],
    entries: &[(i64, String)],
) -> Result<(), Fault> {
    sqlx::query("BEGIN").execute(&mut *connection).await?;
    let lock = "SELECT 1 FROM journal_counter WHERE journal = $1 FOR UPDATE";
    sqlx::query(lock).bind(journal).execute(&mut *connection).await?;
    for (clock, doc) in entries {
        let sql = format!("UPDATE \"{journal}_journal\" SET doc = $2::text::jsonb WHERE clock = $1");
        sqlx::query(AssertSqlSafe(sql)).bind(clock).bind(doc).execute(&mut *connection).await?;
    }
    for row in rows {
        let table = row.table.name;
        let sql = format!("UPDATE \"{table}\" SET doc = $3::text::jsonb WHERE id = $1 AND version = $2");
        let update = sqlx::query(AssertSqlSafe(sql)).bind(&row.id).bind(row.version).bind(&row.doc);
        let is_there = update.execute(&mut *connection).await?.rows_affected() > 0;
        let Some(lookups) = row.lookups.as_ref().filter(|_| is_there) else { continue };
        let sql = format!("DELETE FROM \"{table}_lookup\" WHERE id = $1");
        sqlx::query(AssertSqlSafe(sql)).bind(&row.id).execute(&mut *connection).await?;
        let sql = format!(
            "INSERT INTO \"{table}_lookup\" (name, value, id) SELECT n, v, $3 FROM unnest($1::text[], $2::text[]) \
             AS one (n, v) ON CONFLICT (name, value, id) DO NOTHING"
        );
        let (names, values): (Vec<&str>, Vec<&str>) =
            lookups.iter().map(|(lookup, value)| (lookup.name, value.as_str())).unzip();
        sqlx::query(AssertSqlSafe(sql)).bind(names).bind(values).bind(&row.id).execute(&mut *connection).await?;
    }
    sqlx::query("COMMIT").execute(&mut *connection).await.map_err(Fault::of_commit)?;
    Ok(())
}

/// Erases what is left of a person in kept answers and in causes, all of it or nothing.
pub(crate) async fn erase_traces(connection: &mut PgConnection, traces: &PersonTraces) -> Result<ErasedTraces, Fault> {
    sqlx::query("BEGIN").execute(&mut *connection).await?;
    let sql = format!(
        "UPDATE \"{}_idempotency\" SET answer = $1 WHERE answer <> $1 AND (clock = ANY($2) \
         OR ($3 <> '' AND position(convert_to($3, 'UTF8') in answer) > 0))",
        traces.journal
    );
    let update = sqlx::query(AssertSqlSafe(sql)).bind(&traces.answer).bind(&traces.clocks).bind(&traces.person);
    let answers = update.execute(&mut *connection).await?.rows_affected();
    let sql = "UPDATE worker_aside SET cause = $1 WHERE cause <> $1 AND (entity_id = ANY($2) \
               OR ($3 <> '' AND (entity_id = $3 OR position(convert_to($3, 'UTF8') in entry) > 0)))";
    let update = sqlx::query(sql).bind(&traces.cause).bind(&traces.entities).bind(&traces.person);
    let causes = update.execute(&mut *connection).await?.rows_affected();
    sqlx::query("COMMIT").execute(&mut *connection).await.map_err(Fault::of_commit)?;
    Ok(ErasedTraces { answers, causes })
}

/// The values of the repeated lookups of entities: id, name of the lookup, value.
pub(crate) async fn lookup_values(
    connection: &mut PgConnection,
    table: &Table,
    ids: &[String],
) -> sqlx::Result<Vec<(String, String, String)>> {
    let sql = format!("SELECT id, name, value FROM \"{}_lookup\" WHERE id = ANY($1)", table.name);
    sqlx::query_as(AssertSqlSafe(sql)).bind(ids).fetch_all(connection).await
}
