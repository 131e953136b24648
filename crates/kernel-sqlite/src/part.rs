//! The entries of one part of a journal, in a span of clocks.

use pavise_kernel::store::{Entry, JournalHead, JournalPart};
use sqlx::sqlite::SqlitePool;
use sqlx::{AssertSqlSafe, Row as _};

use crate::read::entry_of;

/// Reads the span by the journal's key, and so never more than the span.
pub(crate) async fn journal(
    pool: &SqlitePool,
    journal: &str,
    part: &JournalPart,
    (after, through): (i64, i64),
    limit: u32,
) -> sqlx::Result<Option<(Vec<Entry>, JournalHead)>> {
    let (condition, value) = condition(part);
    let sql = format!(
        "SELECT c.clock, c.epoch, e.clock, e.action, e.entity_table, e.entity_id, e.owner_id, e.version, e.at, e.actor, \
         e.subject, e.request_id, e.removed, e.doc FROM journal_counter c LEFT JOIN (SELECT * FROM \"{journal}_journal\" \
         WHERE clock > ?1 AND clock <= ?2 AND {condition} ORDER BY clock LIMIT ?4) e ON true \
         WHERE c.journal = ?5 ORDER BY e.clock"
    );
    let query = sqlx::query(AssertSqlSafe(sql)).bind(after).bind(through).bind(value).bind(limit).bind(journal);
    let rows = query.fetch_all(pool).await?;
    let Some(first) = rows.first() else { return Ok(None) };
    let head = JournalHead { clock: first.try_get(0)?, epoch: first.try_get(1)? };
    let entries = rows.iter().filter_map(|row| entry_of(row).transpose()).collect::<sqlx::Result<_>>()?;
    Ok(Some((entries, head)))
}

/// The condition of a part, and the value that it compares with.
fn condition(part: &JournalPart) -> (String, &str) {
    match part {
        JournalPart::Owner(owner) => ("owner_id = ?3".to_owned(), owner),
        // `json_each` gives the items of a list, and a text as its only item.
        JournalPart::Value { table, lookup, value } => (
            format!(
                "entity_table = '{}' AND EXISTS (SELECT 1 FROM json_each(doc, '$.{}') AS one WHERE one.value = ?3)",
                table.name, lookup.json
            ),
            value,
        ),
        JournalPart::Person { id, also } => {
            let also: String = also.iter().map(|table| format!(" OR entity_table = '{table}'")).collect();
            (format!("(owner_id = ?3 OR entity_id = ?3 OR instr(doc, json_quote(?3)) > 0{also})"), id)
        }
    }
}
