//! The commit of a batch: one statement in the usual case, else a transaction under the journal's lock.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pavise_kernel::commit_plan::{
    CommitPlan, PlannedWrite, ReadPlan, StoredState, UniqueValue, has_repeats, unique_values,
};
use pavise_kernel::conditions::GroupState;
use pavise_kernel::store::{Command, Outcome};
use sqlx::postgres::{PgConnection, Postgres};
use sqlx::{AssertSqlSafe, QueryBuilder, Row as _};

use crate::connections::{Fault, database_error};
use crate::{condition, read, statement};

/// Batches of a journal that are committed under the lock after a failed try without it. Such a failure means that
/// another process writes there, too, or that callers compete for an entity.
const WARY: u32 = 16;

/// The journals for which a commit without the lock is not worth trying.
#[derive(Debug, Default)]
pub(crate) struct Caution(Mutex<HashMap<&'static str, u32>>);

impl Caution {
    /// Whether to take the lock at once; counts down.
    fn wary(&self, journal: &'static str) -> bool {
        let mut left = self.left();
        let left = left.entry(journal).or_default();
        let wary = *left > 0;
        *left = left.saturating_sub(1);
        wary
    }

    fn disappointed(&self, journal: &'static str) {
        self.left().insert(journal, WARY);
    }

    fn left(&self) -> MutexGuard<'_, HashMap<&'static str, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Commits commands of one journal.
pub(crate) async fn commit(
    connection: &mut PgConnection,
    caution: &Caution,
    journal: &'static str,
    commands: &[&Command],
) -> Result<Vec<Outcome>, Fault> {
    // Numbers and conditions need reads under the lock.
    let plain = commands.iter().all(|command| command.is_plain());
    if plain && !has_repeats(commands) && !caution.wary(journal) {
        match hopefully(connection, journal, commands).await? {
            Some(outcomes) => return Ok(outcomes),
            None => caution.disappointed(journal),
        }
    }
    carefully(connection, commands).await
}

/// Commits in one round trip. An answer is always right; `None` when nothing was written.
async fn hopefully(
    connection: &mut PgConnection,
    journal: &'static str,
    commands: &[&Command],
) -> Result<Option<Vec<Outcome>>, Fault> {
    let plan = CommitPlan::hopeful(commands);
    let base = match statement::write(connection, journal, &plan, 0).await {
        Ok(base) => base,
        Err(error) if is_of_values(&error) => None,
        Err(error) => return Err(Fault::of_commit(error)),
    };
    let shifted = |base: i64| {
        let outcomes = plan.outcomes.into_iter();
        outcomes
            .map(
                |outcome| {
                    if let Outcome::Committed(clock) = outcome { Outcome::Committed(base + clock) } else { outcome }
                },
            )
            .collect()
    };
    Ok(base.map(shifted))
}

/// Commits in one transaction, under the locks of the journals that are written and of those that the conditions read.
/// Splits the batch until a bad command is alone.
async fn carefully(connection: &mut PgConnection, commands: &[&Command]) -> Result<Vec<Outcome>, Fault> {
    let conditions = commands.iter().flat_map(|command| &command.conditions);
    let read = conditions.map(|condition| condition.table().journal);
    let written = commands.iter().flat_map(|command| command.other_journals().chain([command.journal]));
    let mut clocks = begin(connection, &read.chain(written).collect()).await?;
    let mut outcomes = Vec::with_capacity(commands.len());
    let mut parts = vec![commands];
    while let Some(part) = parts.pop() {
        match apply(connection, part, &clocks).await {
            Ok(plan) => {
                clocks.clone_from(&plan.clocks);
                parts.extend(part.get(plan.outcomes.len()..).filter(|rest| !rest.is_empty()));
                outcomes.extend(plan.outcomes);
                if !parts.is_empty() {
                    execute(connection, "RELEASE part; SAVEPOINT part").await?;
                }
            }
            Err(error) if is_of_values(&error) => {
                execute(connection, "ROLLBACK TO part").await?;
                if part.len() == 1 {
                    let seen = see(connection, &ReadPlan::of(part)).await?;
                    let plan = CommitPlan::new(part, clocks.clone(), seen);
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
    execute(connection, "COMMIT").await.map_err(Fault::of_commit)?;
    Ok(outcomes)
}

async fn execute(connection: &mut PgConnection, sql: &'static str) -> sqlx::Result<()> {
    sqlx::raw_sql(sql).execute(connection).await.map(drop)
}

/// Begins a transaction with the locks of the journals, in one round trip, and answers their clocks. Locks are taken in the
/// order of the names, so that two transactions do not wait for each other.
async fn begin(
    connection: &mut PgConnection,
    journals: &BTreeSet<&'static str>,
) -> sqlx::Result<BTreeMap<&'static str, i64>> {
    let mut sql = "BEGIN".to_owned();
    for one in journals {
        sql += &format!(
            "; {}; SELECT clock FROM journal_counter WHERE journal = '{one}' FOR UPDATE",
            read::begin_journal(one)
        );
    }
    sql += "; SAVEPOINT part";
    let rows = sqlx::raw_sql(AssertSqlSafe(sql)).fetch_all(connection).await?;
    if rows.len() != journals.len() {
        return Err(sqlx::Error::RowNotFound);
    }
    journals.iter().zip(&rows).map(|(journal, row)| Ok((*journal, row.try_get(0)?))).collect()
}

/// Checks the commands and writes those that pass. Answers an outcome for as many commands as can be written together.
/// The caller holds the locks.
async fn apply<'b>(
    connection: &mut PgConnection,
    commands: &[&'b Command],
    clocks: &BTreeMap<&'static str, i64>,
) -> sqlx::Result<CommitPlan<'b>> {
    let seen = see(connection, &ReadPlan::of(commands)).await?;
    let plan = CommitPlan::new(commands, clocks.clone(), seen);
    for ((journal, series), last) in &plan.series {
        count(connection, journal, series, *last).await?;
    }
    for (journal, part) in plan.parts() {
        let clock = clocks.get(journal).copied().unwrap_or_default();
        if statement::write(connection, journal, &part, clock).await? != Some(clock) {
            return Err(sqlx::Error::Protocol("the journal moved under its lock".to_owned()));
        }
    }
    Ok(plan)
}

/// Moves a series to its last count. The journal's lock keeps other writers away.
async fn count(connection: &mut PgConnection, journal: &str, series: &str, last: i64) -> sqlx::Result<()> {
    let sql = "INSERT INTO journal_series (journal, series, last) VALUES ($1, $2, $3) \
         ON CONFLICT (journal, series) DO UPDATE SET last = excluded.last";
    sqlx::query(sql).bind(journal).bind(series).bind(last).execute(connection).await.map(drop)
}

/// Reads the idempotency records and the versions against which commands are checked.
async fn see(connection: &mut PgConnection, wanted: &ReadPlan<'_>) -> sqlx::Result<StoredState> {
    let mut seen = StoredState::default();
    for (journal, keys) in &wanted.keys {
        let sql = format!(
            "SELECT key, request, answer, version, clock, at FROM \"{journal}_idempotency\" WHERE key = ANY($1)"
        );
        for row in sqlx::query(AssertSqlSafe(sql)).bind(keys.as_slice()).fetch_all(&mut *connection).await? {
            let record = read::idempotency_record_from(&row)?;
            seen.records.insert((journal, record.key.clone()), record);
        }
    }
    for (table, ids) in &wanted.ids {
        let sql = format!("SELECT id, version FROM \"{table}\" WHERE id = ANY($1)");
        for row in sqlx::query(AssertSqlSafe(sql)).bind(ids.as_slice()).fetch_all(&mut *connection).await? {
            seen.versions.insert((table, row.try_get(0)?), row.try_get(1)?);
        }
    }
    for (journal, series) in &wanted.series {
        let sql = "SELECT series, last FROM journal_series WHERE journal = $1 AND series = ANY($2)";
        let series: Vec<&str> = series.iter().copied().collect();
        for row in sqlx::query(sql).bind(journal).bind(series).fetch_all(&mut *connection).await? {
            seen.series.insert((journal, row.try_get(0)?), row.try_get(1)?);
        }
    }
    for ((table, name), (lookup, values)) in &wanted.groups {
        let rows = match lookup {
            None => format!("LEFT JOIN \"{table}\" t ON t.owner_id = v.value"),
            Some(lookup) if lookup.many => format!(
                "LEFT JOIN \"{table}_lookup\" l ON l.name = '{name}' AND l.value = v.value \
                 LEFT JOIN \"{table}\" t ON t.id = l.id"
            ),
            Some(lookup) => format!("LEFT JOIN \"{table}\" t ON {} = v.value", condition::expression(lookup)),
        };
        let sql = format!(
            "SELECT v.value, count(t.id), coalesce(max(t.clock), 0) FROM unnest($1::text[]) AS v (value) {rows} GROUP BY 1"
        );
        let values: Vec<&str> = values.iter().copied().collect();
        for row in sqlx::query(AssertSqlSafe(sql)).bind(values).fetch_all(&mut *connection).await? {
            let state = GroupState { count: row.try_get(1)?, clock: row.try_get(2)? };
            seen.groups.insert(((*table).to_owned(), (*name).to_owned(), row.try_get(0)?), state);
        }
    }
    Ok(seen)
}

/// SQLSTATE classes that a value can cause: data exceptions, broken constraints, and program limits (an index entry
/// that is too long). Also a row that one statement changes twice.
fn is_of_values(error: &sqlx::Error) -> bool {
    let code = database_error(error).map(|error| error.code());
    code.is_some_and(|code| ["22", "23", "54", "21"].iter().any(|class| code.starts_with(class)))
}

/// The lookup whose value another entity, or another write of the same command, has already.
async fn taken(connection: &mut PgConnection, writes: &[PlannedWrite<'_>]) -> sqlx::Result<Option<&'static str>> {
    let mut seen = HashSet::new();
    for write in writes.iter().map(|one| &one.write).filter(|write| !write.removed) {
        let table = write.table.name;
        for UniqueValue { name, parts } in unique_values(write) {
            let many = parts.iter().any(|(lookup, _)| lookup.many);
            let mut query = QueryBuilder::<Postgres>::new(if many {
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
