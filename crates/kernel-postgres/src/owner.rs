//! The entries of one owner in a span of a journal.

use pavise_kernel::store::{Entry, Head};
use sqlx::AssertSqlSafe;
use sqlx::Row as _;
use sqlx::postgres::PgConnection;

use crate::read::entry_of;

/// Reads the span by the journal's key, and so never more than the span.
pub(crate) async fn journal(
    connection: &mut PgConnection,
    journal: &str,
    owner: &str,
    (after, through): (i64, i64),
    limit: u32,
) -> sqlx::Result<Option<(Vec<Entry>, Head)>> {
    let sql = format!(
        "SELECT c.clock, c.epoch, e.clock, e.action, e.entity_table, e.entity_id, e.owner_id, e.version, e.at, e.actor, \
         e.subject, e.request_id, e.removed, e.doc::text FROM journal_counter c LEFT JOIN (SELECT * FROM \"{journal}_journal\" \
         WHERE clock > $1 AND clock <= $2 AND owner_id = $3 ORDER BY clock LIMIT {limit}) e ON true \
         WHERE c.journal = $4 ORDER BY e.clock"
    );
    let query = sqlx::query(AssertSqlSafe(sql)).bind(after).bind(through).bind(owner).bind(journal);
    let rows = query.fetch_all(connection).await?;
    let Some(first) = rows.first() else { return Ok(None) };
    let head = Head { clock: first.try_get(0)?, epoch: first.try_get(1)? };
    let entries = rows.iter().filter_map(|row| entry_of(row).transpose()).collect::<sqlx::Result<_>>()?;
    Ok(Some((entries, head)))
}
