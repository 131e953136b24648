//! Writes documents anew, as sealing and erasing what is there already do.

use pavise_kernel::store::RowRewrite;
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
        let sql = format!("UPDATE \"{}\" SET doc = $3::text::jsonb WHERE id = $1 AND version = $2", row.table.name);
        let update = sqlx::query(AssertSqlSafe(sql)).bind(&row.id).bind(row.version).bind(&row.doc);
        update.execute(&mut *connection).await?;
    }
    sqlx::query("COMMIT").execute(&mut *connection).await.map_err(Fault::of_commit)?;
    Ok(())
}
