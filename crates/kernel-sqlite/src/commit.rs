//! The commit of a batch: one transaction, a handful of statements however many commands there are.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;

use pavise_contract::table::Table;
use pavise_kernel::batch::{Kept, Placed, Plan, Seen, Wanted, unique_values};
use pavise_kernel::store::{Command, Outcome};
use sqlx::{AssertSqlSafe, Row as _, SqliteConnection};

use crate::read;
use crate::writer::Fault;

/// Commits `batch`. What cannot be committed together is split until the bad command is alone, still in one
/// transaction, so that the others wait for one fsync only.
pub(crate) async fn commit(connection: &mut SqliteConnection, batch: &[Command]) -> Result<Vec<Outcome>, Fault> {
    let mut outcomes: Vec<Option<Outcome>> = batch.iter().map(|command| command.problem().map(Outcome::Refused)).collect();
    let sound: Vec<&Command> =
        batch.iter().zip(&outcomes).filter_map(|(command, outcome)| outcome.is_none().then_some(command)).collect();

    execute(connection, "BEGIN IMMEDIATE").await?;
    let mut done = split(connection, &sound).await?.into_iter();
    execute(connection, "COMMIT").await.map_err(Fault::During)?;

    outcomes.iter_mut().filter(|outcome| outcome.is_none()).for_each(|open| *open = done.next());
    Ok(outcomes.into_iter().map(|outcome| outcome.unwrap_or(Outcome::Conflict)).collect())
}

async fn execute(connection: &mut SqliteConnection, sql: &'static str) -> sqlx::Result<()> {
    sqlx::query(sql).execute(connection).await.map(drop)
}

/// Applies all, or else the first half and then the second, down to single commands.
async fn split(connection: &mut SqliteConnection, commands: &[&Command]) -> Result<Vec<Outcome>, Fault> {
    let mut outcomes = Vec::with_capacity(commands.len());
    let mut parts = vec![commands];
    while let Some(part) = parts.pop() {
        execute(connection, "SAVEPOINT part").await?;
        match apply(connection, part).await {
            Ok(done) => {
                parts.extend(part.get(done.len()..).filter(|rest| !rest.is_empty()));
                outcomes.extend(done);
            }
            Err(sqlx::Error::Database(error)) if is_of_values(error.code().as_deref()) => {
                execute(connection, "ROLLBACK TO part").await?;
                if let [alone] = part {
                    let taken = taken(connection, alone).await?;
                    outcomes.push(
                        taken.map_or_else(|| Outcome::Refused(error.to_string()), |lookup| Outcome::Taken(lookup.to_owned())),
                    );
                } else {
                    let halves = part.split_at(part.len() / 2);
                    parts.extend([halves.1, halves.0]);
                }
            }
            Err(error) => return Err(error.into()),
        }
        execute(connection, "RELEASE part").await?;
    }
    Ok(outcomes)
}

/// Primary result codes that a value can cause: ERROR (malformed JSON), TOOBIG, CONSTRAINT, MISMATCH.
fn is_of_values(code: Option<&str>) -> bool {
    let primary = code.and_then(|code| code.parse::<i32>().ok()).map(|code| code & 0xff);
    matches!(primary, Some(1 | 18 | 19 | 20))
}

/// The lookup of which another entity, or another write of the same command, has the value already.
async fn taken(connection: &mut SqliteConnection, command: &Command) -> Result<Option<&'static str>, Fault> {
    let mut seen = HashSet::new();
    for write in command.writes.iter().filter(|write| !write.removed) {
        let table = write.table.name;
        for (lookup, value) in unique_values(write) {
            let sql = if lookup.many {
                format!("SELECT count(*) FROM \"{table}_lookup\" WHERE value = ?1 AND id <> ?2 AND name = '{}'", lookup.name)
            } else {
                format!("SELECT count(*) FROM \"{table}\" WHERE {} = ?1 AND id <> ?2", read::expression(lookup))
            };
            let others: i64 =
                sqlx::query_scalar(AssertSqlSafe(sql)).bind(&value).bind(&write.row.id).fetch_one(&mut *connection).await?;
            if others > 0 || !seen.insert((table, lookup.name, value)) {
                return Ok(Some(lookup.name));
            }
        }
    }
    Ok(None)
}

/// Checks, and writes what passed; an outcome for as many commands as can be written together. The caller holds the
/// transaction.
async fn apply(connection: &mut SqliteConnection, commands: &[&Command]) -> sqlx::Result<Vec<Outcome>> {
    let mut clocks: BTreeMap<&'static str, i64> = commands.iter().map(|command| (command.journal, 0)).collect();
    for (journal, clock) in &mut clocks {
        let known = sqlx::query_scalar("SELECT clock FROM journal_counter WHERE journal = ?1").bind(journal);
        *clock = known.fetch_optional(&mut *connection).await?.unwrap_or_default();
    }
    let seen = see(connection, &Wanted::of(commands)).await?;
    let plan = Plan::new(commands, clocks, seen);

    let mut tables: BTreeMap<&str, (&'static Table, Vec<&Placed<'_>>)> = BTreeMap::new();
    let mut journals: BTreeMap<&str, Vec<&Placed<'_>>> = BTreeMap::new();
    for one in &plan.writes {
        tables.entry(one.write.table.name).or_insert((one.write.table, Vec::new())).1.push(one);
        journals.entry(one.command.journal).or_default().push(one);
    }
    for (table, writes) in tables.values() {
        write_rows(connection, table, writes).await?;
        write_lookups(connection, table, writes).await?;
    }
    for (journal, writes) in &journals {
        write_journal(connection, journal, writes).await?;
        sqlx::query(
            "INSERT INTO journal_counter (journal, clock, epoch) VALUES (?1, ?2, lower(hex(randomblob(16)))) \
             ON CONFLICT (journal) DO UPDATE SET clock = excluded.clock",
        )
        .bind(journal)
        .bind(plan.clocks.get(journal).copied().unwrap_or_default())
        .execute(&mut *connection)
        .await?;
    }
    write_memories(connection, &plan.memories).await?;
    Ok(plan.outcomes)
}

/// Reads the idempotency records and the versions that commands are checked against.
async fn see(connection: &mut SqliteConnection, wanted: &Wanted<'_>) -> sqlx::Result<Seen> {
    let mut seen = Seen::default();
    for (journal, keys) in &wanted.keys {
        let sql = format!(
            "SELECT key, request, answer, version, clock, at FROM \"{journal}_idempotency\" \
             WHERE key IN (SELECT value FROM json_each(?1))"
        );
        for row in sqlx::query(AssertSqlSafe(sql)).bind(json(keys)?).fetch_all(&mut *connection).await? {
            let memory = read::memory_of(&row)?;
            seen.memories.insert((journal, memory.key.clone()), memory);
        }
    }
    for (table, ids) in &wanted.ids {
        let sql = format!("SELECT id, version FROM \"{table}\" WHERE id IN (SELECT value FROM json_each(?1))");
        for row in sqlx::query(AssertSqlSafe(sql)).bind(json(ids)?).fetch_all(&mut *connection).await? {
            seen.versions.insert((table, row.try_get(0)?), row.try_get(1)?);
        }
    }
    Ok(seen)
}

async fn write_rows(connection: &mut SqliteConnection, table: &Table, writes: &[&Placed<'_>]) -> sqlx::Result<()> {
    let name = table.name;
    let gone: Vec<&str> = writes
        .iter()
        .filter(|one| one.write.removed && one.write.expected.is_some())
        .map(|one| one.write.row.id.as_str())
        .collect();
    if !gone.is_empty() {
        let sql = format!("DELETE FROM \"{name}\" WHERE id IN (SELECT value FROM json_each(?1))");
        sqlx::query(AssertSqlSafe(sql)).bind(json(&gone)?).execute(&mut *connection).await?;
    }
    let kept = writes.iter().filter(|one| !one.write.removed);
    let kept: Vec<_> = kept
        .map(|one| {
            let row = &one.write.row;
            (&row.id, &row.owner_id, &row.status, row.version, one.clock, row.created_at, row.updated_at, &row.doc)
        })
        .collect();
    if kept.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "INSERT INTO \"{name}\" (id, owner_id, status, version, clock, created_at, updated_at, doc) \
         SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7 FROM json_each(?1) \
         WHERE true ON CONFLICT (id) DO UPDATE SET owner_id = excluded.owner_id, status = excluded.status, \
         version = excluded.version, clock = excluded.clock, created_at = excluded.created_at, \
         updated_at = excluded.updated_at, doc = excluded.doc"
    );
    sqlx::query(AssertSqlSafe(sql)).bind(json(&kept)?).execute(connection).await.map(drop)
}

async fn write_lookups(connection: &mut SqliteConnection, table: &Table, writes: &[&Placed<'_>]) -> sqlx::Result<()> {
    if !table.lookups.iter().any(|lookup| lookup.many) {
        return Ok(());
    }
    let name = table.name;
    let changed: Vec<&str> =
        writes.iter().filter(|one| one.write.expected.is_some()).map(|one| one.write.row.id.as_str()).collect();
    if !changed.is_empty() {
        let sql = format!("DELETE FROM \"{name}_lookup\" WHERE id IN (SELECT value FROM json_each(?1))");
        sqlx::query(AssertSqlSafe(sql)).bind(json(&changed)?).execute(&mut *connection).await?;
    }
    let values: BTreeSet<(&str, &str, &str)> = writes
        .iter()
        .filter(|one| !one.write.removed)
        .flat_map(|one| one.write.lookups.iter().map(|(lookup, value)| (lookup.name, value.as_str(), one.write.row.id.as_str())))
        .collect();
    if values.is_empty() {
        return Ok(());
    }
    let sql =
        format!("INSERT INTO \"{name}_lookup\" (name, value, id) SELECT value->>0, value->>1, value->>2 FROM json_each(?1)");
    sqlx::query(AssertSqlSafe(sql)).bind(json(&values)?).execute(connection).await.map(drop)
}

async fn write_journal(connection: &mut SqliteConnection, journal: &str, writes: &[&Placed<'_>]) -> sqlx::Result<()> {
    let entries: Vec<_> = writes
        .iter()
        .map(|Placed { command, write, clock }| {
            let row = &write.row;
            let what = (clock, &write.action, write.table.name, &row.id, &row.owner_id, row.version);
            let who = (command.at, &command.actor, &command.subject, &command.request_id, write.removed, &row.doc);
            (what.0, what.1, what.2, what.3, what.4, what.5, who.0, who.1, who.2, who.3, who.4, who.5)
        })
        .collect();
    let sql = format!(
        "INSERT INTO \"{journal}_journal\" \
         (clock, action, entity_table, entity_id, owner_id, version, at, actor, subject, request_id, removed, doc) \
         SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8, value->>9, \
         value->>10, value->>11 FROM json_each(?1)"
    );
    sqlx::query(AssertSqlSafe(sql)).bind(json(&entries)?).execute(connection).await.map(drop)
}

async fn write_memories(connection: &mut SqliteConnection, memories: &[Kept<'_>]) -> sqlx::Result<()> {
    let mut journals: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for Kept { journal, memory, clock } in memories {
        let answer = hex(&memory.answer);
        journals.entry(journal).or_default().push((&memory.key, &memory.request, answer, memory.version, clock, memory.at));
    }
    for (journal, records) in journals {
        let sql = format!(
            "INSERT INTO \"{journal}_idempotency\" (key, request, answer, version, clock, at) \
             SELECT value->>0, value->>1, unhex(value->>2), value->>3, value->>4, value->>5 FROM json_each(?1)"
        );
        sqlx::query(AssertSqlSafe(sql)).bind(json(&records)?).execute(&mut *connection).await?;
    }
    Ok(())
}

/// The parameter of `json_each`.
fn json(rows: &impl serde::Serialize) -> sqlx::Result<String> {
    serde_json::to_string(rows).map_err(|error| sqlx::Error::Encode(error.into()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}
