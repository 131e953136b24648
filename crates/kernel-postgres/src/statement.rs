//! The statement that writes a plan: all of it in one round trip, or nothing.
//!
//! The statement moves the counter first, which locks it, and everything else depends on the row that this gives. It
//! gives no row, and nothing is written, when an entity has another version than expected.
//!
//! Other processes may commit while the statement waits for the lock, so its snapshot may be old. PostgreSQL reads the
//! current rows anyway for the counter, for the rows to change, and for unique values. It waits for the rows to change
//! and checks them again. A row that has changed in the meantime fails the whole statement. Only the comparison of
//! repeated lookups needs a current snapshot. With it, the counter must not have moved since the statement began.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use pavise_contract::table::Table;
use pavise_kernel::commit_plan::{CommitPlan, KeptRecord, PlannedWrite};
use sqlx::postgres::{PgArguments, Postgres};
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, Row as _};

use pavise_kernel::store::Write;

/// Separates a lookup's name from its value in one text; no name contains it.
const SEPARATOR: char = '\u{1f}';

const CREATED: i16 = 0;
const CHANGED: i16 = 1;
const REMOVED: i16 = 2;
/// An entity that is created and removed at once: only the journal has it.
const PASSED: i16 = 3;

fn kind(write: &Write) -> i16 {
    match (write.expected, write.removed) {
        (None, false) => CREATED,
        (Some(_), false) => CHANGED,
        (Some(_), true) => REMOVED,
        (None, true) => PASSED,
    }
}

/// The writes of a batch to one table.
struct Shape {
    table: &'static Table,
    kinds: BTreeSet<i16>,
    lookups: bool,
}

impl Shape {
    fn changes(&self) -> bool {
        self.kinds.contains(&CHANGED) || self.kinds.contains(&REMOVED)
    }

    fn has_many(&self) -> bool {
        self.table.lookups.iter().any(|lookup| lookup.many)
    }
}

/// Writes `plan`, whose clocks are counted from `base`. Answers the journal's clock before, or `None` when nothing was
/// written.
///
/// All rows are fetched, because a statement is not committed before its answer is read to the end.
pub(crate) async fn write(
    connection: &mut sqlx::PgConnection,
    journal: &str,
    plan: &CommitPlan<'_>,
    base: i64,
) -> sqlx::Result<Option<i64>> {
    let sql = text(journal, plan);
    let rows = bind(sqlx::query(AssertSqlSafe(sql)), journal, plan, base).fetch_all(connection).await?;
    rows.first().map(|row| row.try_get(0)).transpose()
}

/// The statement for a plan. Plans of one shape share one statement, which the connection keeps prepared.
fn text(journal: &str, plan: &CommitPlan<'_>) -> String {
    let mut tables: BTreeMap<&str, Shape> = BTreeMap::new();
    for PlannedWrite { write, .. } in &plan.writes {
        let fresh = || Shape { table: write.table, kinds: BTreeSet::new(), lookups: false };
        let shape = tables.entry(write.table.name).or_insert_with(fresh);
        shape.kinds.insert(kind(write));
        shape.lookups |= !write.lookups.is_empty();
    }
    let mut sql = String::with_capacity(4_096);
    counter(&mut sql, &tables);
    _ = write!(
        sql,
        ", w AS MATERIALIZED (SELECT base + u.place AS clock, u.*, u.json::jsonb AS doc FROM counter, unnest($4::bigint[], \
         $5::text[], $6::smallint[], $7::text[], $8::text[], $9::text[], $10::bigint[], $11::bigint[], $12::bigint[], \
         $13::bigint[], $14::text[], $15::text[], $16::bigint[], $17::text[], $18::text[], $19::text[], $20::text[]) \
         AS u (place, tbl, kind, id, owner_id, status, version, expected, created_at, updated_at, json, action, at, actor, \
         subject, request_id, lookups)), \
         journal AS (INSERT INTO \"{journal}_journal\" (clock, action, entity_table, entity_id, owner_id, version, at, \
         actor, subject, request_id, removed, doc) SELECT clock, action, tbl, id, owner_id, version, at, actor, subject, \
         request_id, kind >= {REMOVED}, doc FROM w ORDER BY clock)"
    );
    for (number, shape) in tables.values().enumerate() {
        rows(&mut sql, number, shape);
        if shape.has_many() {
            lookups(&mut sql, number, shape);
        }
    }
    if !plan.records.is_empty() {
        _ = write!(
            sql,
            ", records AS (INSERT INTO \"{journal}_idempotency\" (key, request, answer, version, clock, at) \
             SELECT m.key, m.request, m.answer, m.version, base + m.place, m.at FROM counter, unnest($21::text[], \
             $22::text[], $23::bytea[], $24::bigint[], $25::bigint[], $26::bigint[]) AS m (key, request, answer, version, place, at))"
        );
    }
    answer(&mut sql, &tables);
    sql
}

/// Answers the clock before. Divides by zero, which fails the whole statement, when too few rows changed.
fn answer(sql: &mut String, tables: &BTreeMap<&str, Shape>) {
    sql.push_str(" SELECT base, CASE WHEN $3 = 0");
    for (number, Shape { kinds, .. }) in tables.values().enumerate() {
        for (kind, name) in [(CHANGED, "changed"), (REMOVED, "removed")] {
            if kinds.contains(&kind) {
                _ = write!(sql, " + (SELECT count(*) FROM {name}_{number})");
            }
        }
    }
    sql.push_str(" THEN 0 ELSE 1 / (base - base) END FROM counter");
}

/// Moves the counter, if every entity to change has the expected version.
fn counter(sql: &mut String, tables: &BTreeMap<&str, Shape>) {
    sql.push_str("WITH counter AS (UPDATE journal_counter k SET clock = k.clock + $2");
    if tables.values().any(|shape| shape.changes() && shape.has_many()) {
        sql.push_str(" FROM (SELECT clock FROM journal_counter WHERE journal = $1) s WHERE k.clock = s.clock AND");
    } else {
        sql.push_str(" WHERE");
    }
    sql.push_str(" k.journal = $1 AND $3 = 0");
    for shape in tables.values().filter(|shape| shape.changes()) {
        _ = write!(
            sql,
            " + (SELECT count(*) FROM unnest($5::text[], $7::text[], $11::bigint[]) AS x (tbl, id, expected) \
             JOIN \"{0}\" t ON t.id = x.id AND t.version = x.expected WHERE x.tbl = '{0}')",
            shape.table.name
        );
    }
    sql.push_str(" RETURNING k.clock - $2 AS base)");
}

fn rows(sql: &mut String, number: usize, Shape { table, kinds, .. }: &Shape) {
    let name = table.name;
    if kinds.contains(&CREATED) {
        _ = write!(
            sql,
            ", created_{number} AS (INSERT INTO \"{name}\" (id, owner_id, status, version, clock, created_at, updated_at, doc) \
             SELECT id, owner_id, status, version, clock, created_at, updated_at, doc FROM w \
             WHERE tbl = '{name}' AND kind = {CREATED})"
        );
    }
    if kinds.contains(&CHANGED) {
        _ = write!(
            sql,
            ", changed_{number} AS (UPDATE \"{name}\" t SET owner_id = w.owner_id, status = w.status, version = w.version, \
             clock = w.clock, created_at = w.created_at, updated_at = w.updated_at, doc = w.doc FROM w \
             WHERE w.tbl = '{name}' AND w.kind = {CHANGED} AND t.id = w.id AND t.version = w.expected RETURNING t.id)"
        );
    }
    if kinds.contains(&REMOVED) {
        _ = write!(
            sql,
            ", removed_{number} AS (DELETE FROM \"{name}\" t USING w \
             WHERE w.tbl = '{name}' AND w.kind = {REMOVED} AND t.id = w.id AND t.version = w.expected RETURNING t.id)"
        );
    }
}

/// Deletes the lookup values that are gone and adds the new ones. Unchanged values are not touched, because the parts
/// of one statement do not see each other's changes.
fn lookups(sql: &mut String, number: usize, shape: &Shape) {
    let name = shape.table.name;
    if shape.changes() {
        _ = write!(
            sql,
            ", unlooked_{number} AS (DELETE FROM \"{name}_lookup\" l USING w WHERE w.tbl = '{name}' \
             AND w.kind IN ({CHANGED}, {REMOVED}) AND l.id = w.id AND NOT w.lookups::jsonb ? (l.name || '{SEPARATOR}' || l.value) RETURNING 1)"
        );
    }
    if shape.lookups {
        // The count makes the deletions run first: a unique value may go from one entity to another.
        let after =
            if shape.changes() { format!(" AND (SELECT count(*) FROM unlooked_{number}) >= 0") } else { String::new() };
        _ = write!(
            sql,
            ", looked_{number} AS (INSERT INTO \"{name}_lookup\" (name, value, id) SELECT n.name, n.value, n.id FROM \
             (SELECT split_part(e.pair, '{SEPARATOR}', 1) AS name, substr(e.pair, strpos(e.pair, '{SEPARATOR}') + 1) AS value, \
             w.id FROM w, jsonb_array_elements_text(w.lookups::jsonb) AS e (pair) WHERE w.tbl = '{name}' \
             AND w.kind IN ({CREATED}, {CHANGED})) n WHERE NOT EXISTS (SELECT FROM \"{name}_lookup\" l \
             WHERE l.name = n.name AND l.value = n.value AND l.id = n.id){after})"
        );
    }
}

/// The lookup values of a write as a JSON array of texts, without duplicates.
fn pairs(write: &Write) -> String {
    let pairs: BTreeSet<String> =
        write.lookups.iter().map(|(lookup, value)| format!("{}{SEPARATOR}{value}", lookup.name)).collect();
    serde_json::to_string(&pairs).unwrap_or_default()
}

type Bound<'q> = Query<'q, Postgres, PgArguments>;

fn bind<'q>(query: Bound<'q>, journal: &str, plan: &CommitPlan<'_>, base: i64) -> Bound<'q> {
    let count = i64::try_from(plan.writes.len()).unwrap_or(i64::MAX);
    let replaced = plan.writes.iter().filter(|one| one.write.expected.is_some()).count();
    let replaced = i64::try_from(replaced).unwrap_or(i64::MAX);
    let query = query.bind(journal.to_owned()).bind(count).bind(replaced);
    let query = bind_writes(query, &plan.writes, base);
    if plan.records.is_empty() { query } else { bind_records(query, &plan.records, base) }
}

fn bind_writes<'q>(query: Bound<'q>, writes: &[PlannedWrite<'_>], base: i64) -> Bound<'q> {
    fn each<'p, T>(writes: &'p [PlannedWrite<'_>], of: impl Fn(&'p PlannedWrite<'_>) -> T) -> Vec<T> {
        writes.iter().map(of).collect()
    }
    query
        .bind(each(writes, |one| one.clock - base))
        .bind(each(writes, |one| one.write.table.name))
        .bind(each(writes, |one| kind(&one.write)))
        .bind(each(writes, |one| one.write.row.id.as_str()))
        .bind(each(writes, |one| one.write.row.owner_id.as_str()))
        .bind(each(writes, |one| one.write.row.status.as_str()))
        .bind(each(writes, |one| one.write.row.version))
        .bind(each(writes, |one| one.write.expected.unwrap_or_default()))
        .bind(each(writes, |one| one.write.row.created_at))
        .bind(each(writes, |one| one.write.row.updated_at))
        .bind(each(writes, |one| one.write.row.doc.as_str()))
        .bind(each(writes, |one| one.write.action.as_str()))
        .bind(each(writes, |one| one.command.at))
        .bind(each(writes, |one| one.command.actor.as_str()))
        .bind(each(writes, |one| one.command.subject.as_str()))
        .bind(each(writes, |one| one.command.request_id.as_str()))
        .bind(each(writes, |one| pairs(&one.write)))
}

fn bind_records<'q>(query: Bound<'q>, records: &[KeptRecord<'_>], base: i64) -> Bound<'q> {
    fn each<'p, T>(records: &'p [KeptRecord<'_>], of: impl Fn(&'p KeptRecord<'_>) -> T) -> Vec<T> {
        records.iter().map(of).collect()
    }
    query
        .bind(each(records, |one| one.record.key.as_str()))
        .bind(each(records, |one| one.record.request.as_str()))
        .bind(each(records, |one| one.record.answer.to_vec()))
        .bind(each(records, |one| one.record.version))
        .bind(each(records, |one| one.clock - base))
        .bind(each(records, |one| one.record.at))
}
