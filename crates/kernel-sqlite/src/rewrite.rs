//! Writes documents anew, as sealing and erasing what is there already do.

use pavise_kernel::store::RowRewrite;
use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::fault::Fault;

/// Writes all of them or none. Whatever fails closes the connection, which ends the transaction.
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
        let sql = format!("UPDATE \"{}\" SET doc = ?3 WHERE id = ?1 AND version = ?2", row.table.name);
        let update = sqlx::query(AssertSqlSafe(sql)).bind(&row.id).bind(row.version).bind(&row.doc);
        update.execute(&mut *connection).await?;
    }
    sqlx::query("COMMIT").execute(&mut *connection).await.map_err(Fault::During)?;
    Ok(())
}
