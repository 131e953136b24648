//! Commits the writes of a unit, with their journal entries and the idempotency record.

use std::time::Duration;

use bytes::Bytes;
use pavise_contract::table::Table;

use crate::call::Call;
use crate::call::idempotency::answer_from;
use crate::error::{Common, Error, Result};
use crate::port::committer::CommitError;
use crate::port::conditions::OWNER;
use crate::port::numbers::{AssignedNumber, NumberPlan, NumberRequest, Rewrite};
use crate::port::store::{Command, IdempotencyRecord, Outcome, Write};
use crate::write::name_registry::Reserved;
use crate::write::step::Unit;

/// A commit failure.
pub(crate) enum CommitFailure {
    /// Another call changed an entity first. Holds the error for a call that does not retry.
    Conflict(Error),
    /// A retry would fail, too.
    Error(Error),
}

impl Unit<'_> {
    /// Commits one step of a call with several steps, without an idempotency record, and answers the clock.
    ///
    /// # Errors
    /// `CONTENTION` when another call was faster, `ALREADY_EXISTS`.
    pub async fn commit(self) -> Result<i64> {
        match self.commit_with_reserved_names(None).await {
            Ok(CommitOutcome::Committed(clock) | CommitOutcome::Numbered(clock, _)) => Ok(clock),
            Ok(CommitOutcome::Replayed(_)) => Err(Error::internal("a commit without a key was remembered")),
            Err(CommitFailure::Error(error) | CommitFailure::Conflict(error)) => Err(error),
        }
    }

    /// Commits the call's answer together with its idempotency record, also when there is nothing else to write. A
    /// repeat of an earlier call gets that call's answer.
    ///
    /// # Errors
    /// As [`Unit::commit`].
    pub async fn commit_answer<S: prost::Message + Default + Clone>(self, answer: S) -> Result<S> {
        match self.commit_or_replay(Some(&answer)).await {
            Ok(Some(earlier)) => Ok(earlier),
            Ok(None) => Ok(answer),
            Err(CommitFailure::Error(error) | CommitFailure::Conflict(error)) => Err(error),
        }
    }

    /// Commits. Answers another answer than the given one in two cases: the earlier one if the call is a repeat, and the
    /// one with the numbers if the commit gave some.
    pub(crate) async fn commit_or_replay<S: prost::Message + Default>(
        self,
        answer: Option<&S>,
    ) -> Result<Option<S>, CommitFailure> {
        let call = self.call;
        match self.commit_with_reserved_names(answer.map(prost::Message::encode_to_vec)).await? {
            CommitOutcome::Committed(_) | CommitOutcome::Numbered(_, None) => Ok(None),
            CommitOutcome::Numbered(_, Some(answer)) => {
                S::decode(answer.as_slice()).map(Some).map_err(|error| CommitFailure::Error(Error::internal(error)))
            }
            CommitOutcome::Replayed(record) => answer_from(call, &record).map(Some).map_err(CommitFailure::Error),
        }
    }

    /// Reserves the new names of the entities, commits, and gives the names back if nothing was written.
    async fn commit_with_reserved_names(mut self, answer: Option<Vec<u8>>) -> Result<CommitOutcome, CommitFailure> {
        let call = self.call;
        let reserved = Reserved::of(call, std::mem::take(&mut self.names)).await.map_err(CommitFailure::Error)?;
        let outcome = self.submit_command(answer).await;
        let unwritten = match &outcome {
            Ok(CommitOutcome::Replayed(_)) | Err(CommitFailure::Conflict(_)) => true,
            // It may have been committed although the database did not say so.
            Err(CommitFailure::Error(error)) => !error.is_transient(),
            Ok(CommitOutcome::Committed(_) | CommitOutcome::Numbered(..)) => false,
        };
        if unwritten {
            reserved.cancel(call).await;
        }
        outcome
    }

    async fn submit_command(self, answer: Option<Vec<u8>>) -> Result<CommitOutcome, CommitFailure> {
        let Self { call, writes, numbers, mut conditions, checks, names: _ } = self;
        let journal = journal_of(call, &writes);
        let mut domains = writes.iter().map(|write| write.table.message.split('.').nth(1));
        let domain = domains.next();
        if domains.any(|other| Some(other) != domain) {
            return Err(CommitFailure::Error(Error::internal(format!(
                "{} writes to two domains at once, which may have databases of their own",
                call.method().rpc
            ))));
        }
        if answer.is_some() && journal != call.method().journal {
            let cause = format!(
                "{} answers from the journal {journal}, where its repeats are not looked for",
                call.method().rpc
            );
            return Err(CommitFailure::Error(Error::internal(cause)));
        }
        for check in checks {
            let checked = check.run(call, &writes).await;
            conditions.extend(checked.map_err(|error| {
                if error.is(Common::Contention) { CommitFailure::Conflict(error) } else { CommitFailure::Error(error) }
            })?);
        }
        let numbered = Numbered::of(call, &numbers, answer.as_ref()).map_err(CommitFailure::Error)?;
        // The last write is the entity that the call is about, and gives the ETag. Without a write it is the entity
        // that was read.
        let version = writes.last().map_or_else(|| call.marked().version, |write| write.row.version);
        if call.validate_only() {
            call.mark(version, 0);
            return numbered.map_or(Ok(CommitOutcome::Committed(0)), |numbered| {
                let blank = numbers.iter().map(|number| (number.mark.clone(), String::new())).collect();
                numbered.answer(0, blank).map_err(CommitFailure::Error)
            });
        }
        let record = match answer {
            Some(answer) => record(call, answer, version).map_err(CommitFailure::Error)?,
            None => None,
        };
        if writes.is_empty() && record.is_none() {
            return Ok(CommitOutcome::Committed(0));
        }
        let (noun, id) = writes.first().map_or_else(Default::default, |first| (first.table.noun, first.row.id.clone()));
        let of_version = changes_named_version(call, &writes);
        let command = Command {
            journal,
            writes,
            record,
            at: call.now(),
            actor: call.caller().actor_identity().to_owned(),
            subject: call.caller().on_behalf_of().to_owned(),
            request_id: call.request_id().to_owned(),
            numbers: NumberPlan { rewrite: numbered.as_ref().and_then(|one| one.rewrite.clone()), wanted: numbers },
            conditions,
        };
        let tables: Vec<&'static Table> = command.writes.iter().map(|write| write.table).collect();
        let marks: Vec<String> = command.numbers.wanted.iter().map(|number| number.mark.clone()).collect();
        let command = call.kernel().seal_command(command).await.map_err(CommitFailure::Error)?;
        let outcome = call.kernel().committer().submit(command).await;
        let outcome = outcome.map_err(|error| CommitFailure::Error(uncommitted(error)))?;
        match call.kernel().open_outcome(outcome).await.map_err(CommitFailure::Error)? {
            Outcome::Committed(clock) => {
                call.mark(version, clock);
                Ok(CommitOutcome::Committed(clock))
            }
            Outcome::Numbered(clock, given) => {
                call.mark(version, clock);
                let given = marks.into_iter().zip(given).collect();
                let numbered =
                    numbered.ok_or_else(|| CommitFailure::Error(Error::internal("a number that was not asked for")))?;
                numbered.answer(clock, given).map_err(CommitFailure::Error)
            }
            Outcome::Replayed(record) => Ok(CommitOutcome::Replayed(record)),
            Outcome::Conflict => Err(CommitFailure::Conflict(lost(of_version))),
            Outcome::Exists => {
                Err(CommitFailure::Error(Error::new(Common::AlreadyExists, format!("there is a {noun} {id} already"))))
            }
            // The NUL character is the only text of valid JSON that an engine refuses.
            Outcome::Refused(cause) => {
                let message = "a text of the request holds the NUL character, which cannot be stored";
                Err(CommitFailure::Error(Error::new(Common::InvalidField, message).because(cause)))
            }
            Outcome::Taken(lookup) => Err(CommitFailure::Error(taken(&tables, noun, &lookup))),
        }
    }
}

/// The idempotency record of the call's answer, if the caller sent a key.
fn record(call: &Call, answer: Vec<u8>, version: i64) -> Result<Option<IdempotencyRecord>> {
    let Some(key) = call.idempotency_key() else { return Ok(None) };
    let owner = call.parts().owner.as_deref().unwrap_or(&call.caller().identity);
    let answer = Bytes::from(call.kernel().mark_answer(call.method().response, owner, answer));
    Ok(Some(IdempotencyRecord {
        key,
        request: call.parts().request_digest()?,
        answer,
        version,
        clock: 0,
        at: call.machine_now(),
    }))
}

/// The result of a commit: committed or replayed.
enum CommitOutcome {
    Committed(i64),
    /// Committed, with numbers. Holds the encoded answer with them, if there is one.
    Numbered(i64, Option<Vec<u8>>),
    Replayed(IdempotencyRecord),
}

/// The answer of a commit that takes numbers.
struct Numbered {
    answer: Option<Vec<u8>>,
    rewrite: Option<Rewrite>,
}

impl Numbered {
    fn of(call: &Call, numbers: &[NumberRequest], answer: Option<&Vec<u8>>) -> Result<Option<Self>> {
        if numbers.is_empty() {
            return Ok(None);
        }
        let rewrite = answer.map(|_| call.kernel().documents().rewrite(call.method().response)).transpose()?;
        Ok(Some(Self { answer: answer.cloned(), rewrite }))
    }

    fn answer(self, clock: i64, given: Vec<AssignedNumber>) -> Result<CommitOutcome> {
        let written = self.rewrite.zip(self.answer).map(|(rewrite, answer)| rewrite.apply_numbers(&answer, &given));
        Ok(CommitOutcome::Numbered(clock, written.transpose().map_err(Error::internal)?))
    }
}

/// The refusal of a value that another entity has. It names each field that makes the value unique.
fn taken(tables: &[&'static Table], noun: &str, name: &str) -> Error {
    let words = |name: &str| if name == OWNER { "owner".to_owned() } else { name.replace(['.', '_'], " ") };
    let lookup = tables.iter().find_map(|table| table.lookup(name));
    let within: Vec<&str> = lookup.into_iter().flat_map(|lookup| lookup.within).map(|part| part.name).collect();
    let mut message = format!("another {noun} has the same {}", words(name));
    if !within.is_empty() {
        let fields: Vec<String> = within.iter().map(|name| words(name)).collect();
        message = format!("{message} within the same {}", fields.join(" and "));
    }
    let error = Error::new(Common::AlreadyExists, message).violation(name, "is taken");
    // No request names the owner by this field.
    let within = within.into_iter().filter(|part| *part != OWNER);
    within.fold(error, |error, part| error.violation(part, format!("has this {} already", words(name))))
}

/// The journal of a command: that of the call's service, where it writes to it. A command may write to other journals of
/// the domain, too.
fn journal_of(call: &Call, writes: &[Write]) -> &'static str {
    let own = call.method().journal;
    let written = |journal: &str| writes.iter().any(|write| write.table.journal == journal);
    writes.first().filter(|_| !written(own)).map_or(own, |first| first.table.journal)
}

/// Whether the commit changes the version that the caller named. After the first step of a call, that version is past.
fn changes_named_version(call: &Call, writes: &[Write]) -> bool {
    let Some(wanted) = call.parts().conditions.if_match else { return false };
    let own = |write: &Write| call.method().aggregate.is_some_and(|table| table.name == write.table.name);
    writes.iter().any(|write| own(write) && write.expected == Some(wanted))
}

fn lost(of_version: bool) -> Error {
    if of_version {
        return Error::new(Common::VersionMismatch, "it has changed in the meantime: read it again");
    }
    Error::new(Common::Contention, "it is being changed by others; try again")
}

fn uncommitted(error: CommitError) -> Error {
    match error {
        CommitError::Overloaded => Error::new(Common::Overloaded, "too many writes at once; try again in 1 s")
            .retry_after(Duration::from_secs(1)),
        other => Error::unavailable("the database", other),
    }
}
