//! The commit of a batch: one transaction, and two trips to the connection for any number of commands.

use std::collections::{BTreeMap, HashSet};

use pavise_kernel::commit_plan::{CommitPlan, PlannedWrite, ReadPlan, StoredState, UniqueValue, unique_values};
use pavise_kernel::conditions::GroupState;
use pavise_kernel::store::{Command, Outcome};
use sqlx::sqlite::{Sqlite, SqliteRow};
use sqlx::{QueryBuilder, Row as _, SqliteConnection};

use crate::fault::Fault;
use crate::script::Script;
use crate::{condition, read, write};

/// Commits `batch`. If it cannot be committed together, it is split until the bad command is alone. The parts stay in
/// one transaction, so that the other commands wait for one fsync only.
pub(crate) async fn commit(connection: &mut SqliteConnection, batch: &[Command]) -> Result<Vec<Outcome>, Fault> {
    let mut outcomes: Vec<Option<Outcome>> =
        batch.iter().map(|command| command.problem().map(Outcome::Refused)).collect();
    let sound: Vec<&Command> =
        batch.iter().zip(&outcomes).filter_map(|(command, outcome)| outcome.is_none().then_some(command)).collect();
    let done = match commit_sound(connection, &sound).await? {
        Some(done) => done,
        None => split(connection, &sound).await?,
    };
    let mut done = done.into_iter();
    outcomes.iter_mut().filter(|outcome| outcome.is_none()).for_each(|open| *open = done.next());
    Ok(outcomes.into_iter().map(|outcome| outcome.unwrap_or(Outcome::Conflict)).collect())
}

/// Commits all commands at once; `None` when that fails, and then nothing was written.
async fn commit_sound(connection: &mut SqliteConnection, commands: &[&Command]) -> Result<Option<Vec<Outcome>>, Fault> {
    let plan = plan(connection, "BEGIN IMMEDIATE", commands).await?;
    let mut script = Script::default();
    let whole = plan.outcomes.len() == commands.len();
    if whole {
        write::write(&mut script, &plan)?;
        script.push("COMMIT", &[])?;
    } else {
        script.push("ROLLBACK", &[])?;
    }
    match script.run(connection).await {
        Ok(_) => Ok(whole.then_some(plan.outcomes)),
        Err(error) if is_of_values(&error) => {
            Script::new("ROLLBACK").run(connection).await?;
            Ok(None)
        }
        Err(error) => Err(Fault::During(error)),
    }
}

/// Commits as many commands as can be written together, or else each half, down to single commands.
async fn split(connection: &mut SqliteConnection, commands: &[&Command]) -> Result<Vec<Outcome>, Fault> {
    Script::new("BEGIN IMMEDIATE").run(connection).await?;
    let mut outcomes = Vec::with_capacity(commands.len());
    let mut parts = vec![commands];
    while let Some(part) = parts.pop() {
        let plan = plan(connection, "SAVEPOINT part", part).await?;
        let mut script = Script::default();
        write::write(&mut script, &plan)?;
        script.push("RELEASE part", &[])?;
        match script.run(connection).await {
            Ok(_) => {
                parts.extend(part.get(plan.outcomes.len()..).filter(|rest| !rest.is_empty()));
                outcomes.extend(plan.outcomes);
            }
            Err(error) if is_of_values(&error) => {
                Script::new("ROLLBACK TO part; RELEASE part").run(connection).await?;
                if part.len() == 1 {
                    let taken = taken(connection, &plan.writes).await?;
                    outcomes.push(taken.map_or_else(
                        || Outcome::Refused(error.to_string()),
                        |lookup| Outcome::Taken(lookup.to_owned()),
                    ));
                } else {
                    let halves = part.split_at(part.len() / 2);
                    parts.extend([halves.1, halves.0]);
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    Script::new("COMMIT").run(connection).await.map_err(Fault::During)?;
    Ok(outcomes)
}

/// Begins with `begin`, reads what the commands depend on, and decides.
async fn plan<'b>(
    connection: &mut SqliteConnection,
    begin: &str,
    commands: &[&'b Command],
) -> sqlx::Result<CommitPlan<'b>> {
    let journals = commands.iter().flat_map(|command| command.other_journals().chain([command.journal]));
    let mut clocks: BTreeMap<&'static str, i64> = journals.map(|journal| (journal, 0)).collect();
    let mut script = Script::new(begin);
    for journal in clocks.keys() {
        script
            .push(&format!("SELECT 'clock', journal, clock FROM journal_counter WHERE journal = '{journal}'"), &[])?;
    }
    script.see(&ReadPlan::of(commands))?;
    let rows = script.run(connection).await?;
    let mut seen = StoredState::default();
    for row in &rows {
        learn(row, commands, &mut clocks, &mut seen)?;
    }
    Ok(CommitPlan::new(commands, clocks, seen))
}

fn learn(
    row: &SqliteRow,
    commands: &[&Command],
    clocks: &mut BTreeMap<&'static str, i64>,
    seen: &mut StoredState,
) -> sqlx::Result<()> {
    let from: &str = row.try_get(1)?;
    match row.try_get(0)? {
        "clock" => {
            if let Some(clock) = clocks.get_mut(from) {
                *clock = row.try_get(2)?;
            }
        }
        "record" => {
            let record = read::idempotency_record_from(row, 2)?;
            let journal = commands.iter().map(|command| command.journal).find(|journal| *journal == from);
            seen.records.extend(journal.map(|journal| ((journal, record.key.clone()), record)));
        }
        "series" => {
            let mut numbers = commands.iter().flat_map(|command| &command.numbers.wanted);
            let journal = numbers.find(|number| number.journal == from).map(|number| number.journal);
            let (series, last) = (row.try_get(2)?, row.try_get(3)?);
            seen.series.extend(journal.map(|journal| ((journal, series), last)));
        }
        "group" => {
            let state = GroupState { count: row.try_get(4)?, clock: row.try_get(5)? };
            seen.groups.insert((from.to_owned(), row.try_get(2)?, row.try_get(3)?), state);
        }
        _ => {
            let mut tables = commands.iter().flat_map(|command| {
                let conditions = command.conditions.iter().map(|condition| condition.table().name);
                command.writes.iter().map(|write| write.table.name).chain(conditions)
            });
            let (id, version) = (row.try_get(2)?, row.try_get(3)?);
            seen.versions.extend(tables.find(|table| *table == from).map(|table| ((table, id), version)));
        }
    }
    Ok(())
}

/// Primary result codes that a value can cause: ERROR (malformed JSON), TOOBIG, CONSTRAINT, MISMATCH.
fn is_of_values(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    matches!(code.and_then(|code| code.parse::<i32>().ok()).map(|code| code & 0xff), Some(1 | 18 | 19 | 20))
}

/// The lookup whose value another entity, or another write of the same command, has already.
async fn taken(connection: &mut SqliteConnection, writes: &[PlannedWrite<'_>]) -> Result<Option<&'static str>, Fault> {
    let mut seen = HashSet::new();
    for write in writes.iter().map(|one| &one.write).filter(|write| !write.removed) {
        let table = write.table.name;
        for UniqueValue { name, parts } in unique_values(write) {
            let many = parts.iter().any(|(lookup, _)| lookup.many);
            let mut query = QueryBuilder::<Sqlite>::new(if many {
                format!("SELECT count(*) FROM \"{table}_lookup\" WHERE name = '{name}'")
            } else {
                format!("SELECT count(*) FROM \"{table}\" WHERE true")
            });
            for (lookup, value) in &parts {
                let compared = if many { "value".to_owned() } else { condition::expression(lookup) };
                query.push(format!(" AND {compared} = ")).push_bind(value.clone());
            }
            query.push(" AND id <> ").push_bind(write.row.id.clone());
            let others: i64 = query.build_query_scalar().fetch_one(&mut *connection).await?;
            let values: Vec<String> = parts.into_iter().map(|(_, value)| value).collect();
            if others > 0 || !seen.insert((table, name, values)) {
                return Ok(Some(name));
            }
        }
    }
    Ok(None)
}
