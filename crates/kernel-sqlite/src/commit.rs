//! The commit of a batch: one transaction, a handful of statements however many commands there are.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use pavise_contract::table::{Lookup, Table};
use pavise_kernel::store::{Command, Memory, Outcome, Write, folded};
use sqlx::{AssertSqlSafe, Row as _, SqliteConnection};

use crate::read;
use crate::writer::Fault;

/// Commits `batch`. What cannot be committed together is committed one by one, still in one transaction, so that a
/// bad command fails alone and the others wait for one fsync only.
pub(crate) async fn commit(connection: &mut SqliteConnection, batch: &[Command]) -> Result<Vec<Outcome>, Fault> {
    let mut outcomes: Vec<Option<Outcome>> = batch.iter().map(|command| command.problem().map(Outcome::Refused)).collect();
    let (places, sound): (Vec<usize>, Vec<&Command>) =
        batch.iter().enumerate().filter(|(place, _)| outcomes.get(*place).is_some_and(Option::is_none)).unzip();

    execute(connection, "BEGIN IMMEDIATE").await?;
    let together = if repeats(&sound) { None } else { apply_or_refuse(connection, &sound).await?.ok() };
    let done = match together {
        Some(done) => done,
        None => {
            execute(connection, "ROLLBACK").await?;
            execute(connection, "BEGIN IMMEDIATE").await?;
            singly(connection, &sound).await?
        }
    };
    execute(connection, "COMMIT").await.map_err(Fault::During)?;

    for (place, outcome) in places.into_iter().zip(done) {
        if let Some(open) = outcomes.get_mut(place) {
            *open = Some(outcome);
        }
    }
    Ok(outcomes.into_iter().map(|outcome| outcome.unwrap_or(Outcome::Conflict)).collect())
}

async fn execute(connection: &mut SqliteConnection, sql: &'static str) -> sqlx::Result<()> {
    sqlx::query(sql).execute(connection).await.map(drop)
}

/// Whether an entity or an idempotency key occurs twice: then what comes second has to see what came first.
fn repeats(commands: &[&Command]) -> bool {
    let mut seen = HashSet::new();
    let mut marks = commands.iter().flat_map(|command| {
        let entities = command.writes.iter().map(|write| (write.table.name, write.row.id.as_str()));
        entities.chain(command.memory.iter().map(|memory| (command.journal, memory.key.as_str())))
    });
    marks.any(|mark| !seen.insert(mark))
}

async fn singly(connection: &mut SqliteConnection, commands: &[&Command]) -> Result<Vec<Outcome>, Fault> {
    let mut outcomes = Vec::with_capacity(commands.len());
    for command in commands {
        execute(connection, "SAVEPOINT one").await?;
        let outcome = match apply_or_refuse(connection, &[command]).await? {
            Ok(mut outcomes) => outcomes.pop().unwrap_or(Outcome::Conflict),
            Err(cause) => {
                execute(connection, "ROLLBACK TO one").await?;
                match taken(connection, command).await? {
                    Some(lookup) => Outcome::Taken(lookup.to_owned()),
                    None => Outcome::Refused(cause),
                }
            }
        };
        execute(connection, "RELEASE one").await?;
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

/// Applies, and tells a statement that a command's values break (`Err` inside) from a failing engine (`Err` outside).
async fn apply_or_refuse(
    connection: &mut SqliteConnection,
    commands: &[&Command],
) -> Result<Result<Vec<Outcome>, String>, Fault> {
    match apply(connection, commands).await {
        Ok(outcomes) => Ok(Ok(outcomes)),
        Err(sqlx::Error::Database(error)) if is_of_values(error.code().as_deref()) => Ok(Err(error.to_string())),
        Err(error) => Err(Fault::Before(error)),
    }
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

/// The values of an entity that nobody else may have.
fn unique_values(write: &Write) -> Vec<(&'static Lookup, String)> {
    let doc: serde_json::Value = serde_json::from_str(&write.row.doc).unwrap_or_default();
    let scalars = write.table.lookups.iter().filter(|lookup| lookup.unique && !lookup.many);
    let scalars = scalars.filter_map(|lookup| Some((lookup, folded(lookup, doc.get(lookup.json)?.as_str()?).into_owned())));
    let many: BTreeSet<(&str, &String)> = write.lookups.iter().map(|(lookup, value)| (lookup.name, value)).collect();
    let many = many.into_iter().filter_map(|(name, value)| Some((write.table.lookup(name)?, value.clone())));
    scalars.chain(many.filter(|(lookup, _)| lookup.unique)).collect()
}

/// What the transaction sees and what it has decided so far.
#[derive(Default)]
struct State {
    clocks: BTreeMap<&'static str, i64>,
    memories: HashMap<(&'static str, String), Memory>,
    versions: HashMap<(&'static str, String), i64>,
}

/// A write that passed its check, with its clock.
struct Passed<'b> {
    command: &'b Command,
    write: &'b Write,
    clock: i64,
}

/// Checks all, writes what passed. The caller holds the transaction.
async fn apply(connection: &mut SqliteConnection, commands: &[&Command]) -> sqlx::Result<Vec<Outcome>> {
    let mut state = see(connection, commands).await?;
    let (mut passed, mut memories, mut outcomes) = (Vec::new(), Vec::new(), Vec::with_capacity(commands.len()));
    for command in commands {
        let outcome = check(&state, command);
        if outcome.is_none() {
            let clock = state.clocks.entry(command.journal).or_default();
            for write in &command.writes {
                *clock += 1;
                passed.push(Passed { command, write, clock: *clock });
            }
            memories.extend(command.memory.as_ref().map(|memory| (command.journal, memory, *clock)));
            outcomes.push(Outcome::Committed(*clock));
        } else {
            outcomes.extend(outcome);
        }
    }
    let mut tables: BTreeMap<&str, (&'static Table, Vec<&Passed<'_>>)> = BTreeMap::new();
    let mut journals: BTreeMap<&str, Vec<&Passed<'_>>> = BTreeMap::new();
    for one in &passed {
        tables.entry(one.write.table.name).or_insert((one.write.table, Vec::new())).1.push(one);
        journals.entry(one.command.journal).or_default().push(one);
    }
    for (table, writes) in tables.values() {
        write_rows(connection, table, writes).await?;
        write_lookups(connection, table, writes).await?;
    }
    for (journal, writes) in &journals {
        write_journal(connection, journal, writes).await?;
        let clock = state.clocks.get(journal).copied().unwrap_or_default();
        sqlx::query(
            "INSERT INTO journal_counter (journal, clock, epoch) VALUES (?1, ?2, lower(hex(randomblob(16)))) \
             ON CONFLICT (journal) DO UPDATE SET clock = excluded.clock",
        )
        .bind(journal)
        .bind(clock)
        .execute(&mut *connection)
        .await?;
    }
    write_memories(connection, &memories).await?;
    Ok(outcomes)
}

/// Why a command does not pass; `None` when it does.
fn check(state: &State, command: &Command) -> Option<Outcome> {
    if let Some(memory) = &command.memory
        && let Some(known) = state.memories.get(&(command.journal, memory.key.clone()))
    {
        return Some(Outcome::Remembered(known.clone()));
    }
    command.writes.iter().find_map(|write| {
        let found = state.versions.get(&(write.table.name, write.row.id.clone())).copied();
        match (write.expected, found) {
            (None, Some(_)) => Some(Outcome::Exists),
            (expected, found) if expected != found => Some(Outcome::Conflict),
            _ => None,
        }
    })
}

/// Reads the counters, the idempotency records and the versions that the commands are checked against.
async fn see(connection: &mut SqliteConnection, commands: &[&Command]) -> sqlx::Result<State> {
    let mut state = State::default();
    let mut keys: BTreeMap<&'static str, Vec<&str>> = BTreeMap::new();
    let mut ids: BTreeMap<&'static str, Vec<&str>> = BTreeMap::new();
    for command in commands {
        state.clocks.entry(command.journal).or_default();
        if let Some(memory) = &command.memory {
            keys.entry(command.journal).or_default().push(&memory.key);
        }
        for write in &command.writes {
            ids.entry(write.table.name).or_default().push(&write.row.id);
        }
    }
    for (journal, clock) in &mut state.clocks {
        let known = sqlx::query_scalar("SELECT clock FROM journal_counter WHERE journal = ?1").bind(journal);
        *clock = known.fetch_optional(&mut *connection).await?.unwrap_or_default();
    }
    for (journal, keys) in keys {
        let sql = format!(
            "SELECT key, request, answer, version, clock, at FROM \"{journal}_idempotency\" \
             WHERE key IN (SELECT value FROM json_each(?1))"
        );
        for row in sqlx::query(AssertSqlSafe(sql)).bind(json(&keys)?).fetch_all(&mut *connection).await? {
            let memory = read::memory_of(&row)?;
            state.memories.insert((journal, memory.key.clone()), memory);
        }
    }
    for (table, ids) in ids {
        let sql = format!("SELECT id, version FROM \"{table}\" WHERE id IN (SELECT value FROM json_each(?1))");
        for row in sqlx::query(AssertSqlSafe(sql)).bind(json(&ids)?).fetch_all(&mut *connection).await? {
            state.versions.insert((table, row.try_get(0)?), row.try_get(1)?);
        }
    }
    Ok(state)
}

async fn write_rows(connection: &mut SqliteConnection, table: &Table, writes: &[&Passed<'_>]) -> sqlx::Result<()> {
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

async fn write_lookups(connection: &mut SqliteConnection, table: &Table, writes: &[&Passed<'_>]) -> sqlx::Result<()> {
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

async fn write_journal(connection: &mut SqliteConnection, journal: &str, writes: &[&Passed<'_>]) -> sqlx::Result<()> {
    let entries: Vec<_> = writes
        .iter()
        .map(|Passed { command, write, clock }| {
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

async fn write_memories(connection: &mut SqliteConnection, memories: &[(&str, &Memory, i64)]) -> sqlx::Result<()> {
    let mut journals: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for (journal, memory, clock) in memories {
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
