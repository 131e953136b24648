//! Writes entities: one commit of one service's aggregates, with their journal entries and the idempotency record.

use std::time::Duration;

use bytes::Bytes;

use crate::aggregate::Aggregate;
use crate::call::Call;
use crate::committer::CommitError;
use crate::error::{Common, Error, Result};
use crate::serve::answer_from;
use crate::store::{Command, IdempotencyRecord, Outcome, Write};

/// The writes of one commit.
#[derive(Debug)]
#[must_use = "nothing is written before commit or answer"]
pub struct Unit<'a> {
    call: &'a Call,
    writes: Vec<Write>,
}

/// A commit failure.
pub(crate) enum CommitFailure {
    /// Another call changed an entity first. Holds the error for a call that does not retry.
    Conflict(Error),
    /// A retry would fail, too.
    Error(Error),
}

impl Call {
    /// Starts a commit.
    pub fn unit(&self) -> Unit<'_> {
        Unit { call: self, writes: Vec::new() }
    }
}

impl Unit<'_> {
    /// Adds a new entity with the call's action. Its id (unless set), version and times are filled in.
    ///
    /// # Errors
    /// The error of the entity's own check.
    pub fn create<A: Aggregate>(&mut self, entity: A) -> Result<A> {
        self.create_as(entity, self.call.method().action)
    }

    /// Adds a new entity with another action that the call declares.
    ///
    /// # Errors
    /// As [`Unit::create`].
    pub fn create_as<A: Aggregate>(&mut self, mut entity: A, action: &str) -> Result<A> {
        let now = self.call.timestamp();
        entity.derive(None, &now)?;
        let head = entity.head_mut();
        if head.id.is_empty() {
            *head.id = self.call.new_id();
        }
        if *head.status == 0 {
            *head.status = A::status_number(A::TABLE.initial)
                .ok_or_else(|| Error::internal(format!("{} has no initial status", A::TABLE.name)))?;
        }
        *head.version = 1;
        *head.created_at = Some(now);
        *head.updated_at = Some(now);
        self.add(&entity, None, action, false)?;
        Ok(entity)
    }

    /// Adds a change with the call's action: `before` is the loaded state, `after` the new one.
    ///
    /// # Errors
    /// The error of the entity's own check.
    pub fn update<A: Aggregate>(&mut self, before: &A, after: A) -> Result<A> {
        self.update_as(before, after, self.call.method().action)
    }

    /// Adds a change with another action that the call declares.
    ///
    /// # Errors
    /// As [`Unit::update`].
    pub fn update_as<A: Aggregate>(&mut self, before: &A, mut after: A, action: &str) -> Result<A> {
        let expected = before.head().version;
        after.derive(Some(before), &self.call.timestamp())?;
        let (method, was) = (self.call.method(), before.head().status);
        let is = after.head().status;
        if method.aggregate.is_some_and(|table| table.name == A::TABLE.name) && is != was && !method.leads(was, is) {
            return Err(Error::internal(format!("{} led from {was} to {is}, which it does not declare", method.rpc)));
        }
        let head = after.head_mut();
        *head.version = expected + 1;
        *head.updated_at = Some(self.call.timestamp());
        self.add(&after, Some(expected), action, false)?;
        Ok(after)
    }

    /// Adds a removal with the call's action.
    ///
    /// # Errors
    /// When the entity cannot be written.
    pub fn remove<A: Aggregate>(&mut self, entity: A) -> Result<A> {
        self.remove_as(entity, self.call.method().action)
    }

    /// Adds a removal with another action that the call declares.
    ///
    /// # Errors
    /// As [`Unit::remove`].
    pub fn remove_as<A: Aggregate>(&mut self, mut entity: A, action: &str) -> Result<A> {
        let expected = entity.head().version;
        let head = entity.head_mut();
        *head.version = expected + 1;
        *head.updated_at = Some(self.call.timestamp());
        self.add(&entity, Some(expected), action, true)?;
        Ok(entity)
    }

    /// Whether the call declares the action.
    pub(crate) fn declares(&self, action: &str) -> bool {
        let method = self.call.method();
        action == method.action || method.actions.contains(&action)
    }

    fn add<A: Aggregate>(&mut self, entity: &A, expected: Option<i64>, action: &str, removed: bool) -> Result<()> {
        if !self.declares(action) {
            return Err(Error::internal(format!("{} does not declare the action {action}", self.call.method().rpc)));
        }
        entity.check()?;
        let row = self.call.kernel().documents().write(entity)?;
        let fold = |(lookup, value): (&'static pavise_contract::table::Lookup, String)| {
            let value = crate::store::folded(lookup, &value).into_owned();
            (lookup, value)
        };
        let lookups = if removed { Vec::new() } else { entity.lookups().into_iter().map(fold).collect() };
        self.writes.push(Write { table: A::TABLE, row, expected, removed, action: action.to_owned(), lookups });
        Ok(())
    }

    /// Commits one step of a call with several steps, without an idempotency record, and answers the clock.
    ///
    /// # Errors
    /// `CONTENTION` when another call was faster, `ALREADY_EXISTS`.
    pub async fn commit(self) -> Result<i64> {
        match self.send(None).await {
            Ok(CommitOutcome::Committed(clock)) => Ok(clock),
            Ok(CommitOutcome::Replayed(_)) => Err(Error::internal("a commit without a key was remembered")),
            Err(CommitFailure::Error(error) | CommitFailure::Conflict(error)) => Err(error),
        }
    }

    /// Commits the call's answer together with its idempotency record, also when there is nothing else to write. A
    /// repeat of an earlier call gets that call's answer.
    ///
    /// # Errors
    /// As [`Unit::commit`].
    pub async fn answer<S: prost::Message + Default + Clone>(self, answer: S) -> Result<S> {
        match self.finish(Some(&answer)).await {
            Ok(Some(earlier)) => Ok(earlier),
            Ok(None) => Ok(answer),
            Err(CommitFailure::Error(error) | CommitFailure::Conflict(error)) => Err(error),
        }
    }

    /// Commits; the earlier answer if the call is a repeat.
    pub(crate) async fn finish<S: prost::Message + Default>(
        self,
        answer: Option<&S>,
    ) -> Result<Option<S>, CommitFailure> {
        let call = self.call;
        match self.send(answer.map(prost::Message::encode_to_vec)).await? {
            CommitOutcome::Committed(_) => Ok(None),
            CommitOutcome::Replayed(record) => answer_from(call, &record).map(Some).map_err(CommitFailure::Error),
        }
    }

    async fn send(self, answer: Option<Vec<u8>>) -> Result<CommitOutcome, CommitFailure> {
        let Self { call, writes } = self;
        let journal = writes.first().map_or(call.method().journal, |write| write.table.journal);
        if writes.iter().any(|write| write.table.journal != journal) {
            return Err(CommitFailure::Error(Error::internal(format!(
                "{} writes to two journals at once",
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
        // The last write is the entity that the call is about, and gives the ETag. Without a write it is the entity
        // that was read.
        let version = writes.last().map_or_else(|| call.marked().version, |write| write.row.version);
        if call.validate_only() {
            call.mark(version, 0);
            return Ok(CommitOutcome::Committed(0));
        }
        let record = answer.and_then(|answer| record(call, answer, version));
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
            actor: call.caller().acting().to_owned(),
            subject: call.caller().on_behalf_of().to_owned(),
            request_id: call.request_id().to_owned(),
        };
        let outcome = call.kernel().committer().submit(command).await;
        match outcome.map_err(|error| CommitFailure::Error(uncommitted(error)))? {
            Outcome::Committed(clock) => {
                call.mark(version, clock);
                Ok(CommitOutcome::Committed(clock))
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
            Outcome::Taken(lookup) => {
                let field = lookup.clone();
                let message = format!("another {noun} has the same {}", lookup.replace(['.', '_'], " "));
                Err(CommitFailure::Error(Error::new(Common::AlreadyExists, message).violation(field, "is taken")))
            }
        }
    }
}

/// The idempotency record of the call's answer, if the caller sent a key.
fn record(call: &Call, answer: Vec<u8>, version: i64) -> Option<IdempotencyRecord> {
    Some(IdempotencyRecord {
        key: call.idempotency_key()?,
        request: call.parts().conditions.request_digest.clone(),
        answer: Bytes::from(answer),
        version,
        clock: 0,
        at: call.now(),
    })
}

/// The result of a commit: committed or replayed.
enum CommitOutcome {
    Committed(i64),
    Replayed(IdempotencyRecord),
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
