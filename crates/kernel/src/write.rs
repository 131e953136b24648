//! Creates, changes and removes one entity: load, check against the contract, edit, commit. A conflict starts it again.

pub(crate) mod checks;
mod child_check;
pub(crate) mod commit;
pub mod name_registry;
pub mod name_request;
mod person;
mod sibling_check;
pub mod step;
mod target;
mod tree_check;
pub mod unit;

use std::future::Future;
use std::time::Duration;

use crate::call::Call;
use crate::entity::aggregate::Aggregate;
use crate::error::{Common, Error, Result};
use crate::port::commit_plan::unique_values;
use crate::port::store::{Filter, Write};
use crate::write::commit::CommitFailure;

pub use step::Step;
pub use target::ToStatus;

/// Attempts of a change that meets conflicts.
const ATTEMPTS: u32 = 5;

/// The consequences of an aggregate whose contract says `consequences`. They are further writes of the same commit,
/// notices, and refusals because of the caller or of other entities. They run for every declared write of the
/// aggregate.
pub trait Consequences: Aggregate {
    /// Runs before every commit of a declared write, and after the entity's own check of a change. It may add to the
    /// commit, change the entity, name another of the call's actions, or refuse. It runs again after a conflict.
    ///
    /// # Errors
    /// The reason to refuse the write, for the caller.
    fn follow(call: &Call, step: &mut Step<'_, Self>) -> impl Future<Output = Result<()>> + Send;
}

impl Call {
    /// Creates `entity` and answers it. Its id (unless set), version and times are filled in.
    ///
    /// # Errors
    /// `ALREADY_EXISTS`, or the error of the entity's own check.
    pub async fn create<A: Aggregate>(&self, entity: A) -> Result<A> {
        self.make(entity, false).await
    }

    /// A declared creation, with the consequences of the aggregate.
    ///
    /// # Errors
    /// As [`Call::create`], or the refusal of the consequences.
    pub async fn apply_create<A: Aggregate>(&self, entity: A) -> Result<A> {
        self.make(entity, true).await
    }

    /// A declared creation, or the change of the entity that has the same value of the unique lookup `by` already: an
    /// upsert. `action` is that of a change; `edit` runs for a change only.
    ///
    /// # Errors
    /// As [`Call::apply_create`] and [`Call::apply_change`].
    pub async fn apply_upsert<A: Aggregate>(
        &self,
        entity: A,
        by: &'static str,
        action: &'static str,
        mut edit: impl FnMut(&mut A) -> Result<()> + Send,
    ) -> Result<A> {
        let mut attempt = 0;
        loop {
            let holder = self.holder(&entity, by).await?;
            let change = Change { call: self, action, declared: true, again: true, target: None };
            let result = match &holder {
                Some(id) => change.make(id, &mut edit, A::clone).await,
                None => self.make(entity.clone(), true).await,
            };
            // Another call made it, or removed it, since.
            let lost = if holder.is_some() { Common::NotFound } else { Common::AlreadyExists };
            match result {
                Err(error) if error.is(lost) && attempt < ATTEMPTS => attempt += 1,
                other => return other,
            }
        }
    }

    /// The id of the entity that has this one's value of a unique lookup.
    async fn holder<A: Aggregate>(&self, entity: &A, by: &'static str) -> Result<Option<String>> {
        let store = self.kernel().store();
        if by == "id" {
            return Ok(store.get(A::TABLE, entity.head().id).await?.map(|row| row.id));
        }
        let mut entity = entity.clone();
        entity.derive(None, &self.timestamp())?;
        let row = self.kernel().documents().write(&entity)?;
        let (action, lookups) = (String::new(), Vec::new());
        let write = Write { table: A::TABLE, row, expected: None, removed: false, action, lookups };
        let Some(value) = unique_values(&write).into_iter().find(|value| value.name == by) else { return Ok(None) };
        let filter = Filter { lookups: value.parts, limit: 1, ..Filter::default() };
        Ok(store.list(A::TABLE, &filter).await?.into_iter().next().map(|row| row.id))
    }

    async fn make<A: Aggregate>(&self, mut entity: A, declared: bool) -> Result<A> {
        if entity.head().id.is_empty() {
            *entity.head_mut().id = self.id_of(&entity);
        }
        entity.derive(None, &self.timestamp())?;
        let mut attempt = 0;
        loop {
            let (unit, after) = (self.unit(), Some(entity.clone()));
            let mut step = Step { unit, before: None, after, action: self.method().action };
            if declared {
                A::follow(self, &mut step).await?;
            }
            let Step { mut unit, after, action, .. } = step;
            let made = unit.create_as(after.ok_or_else(lost)?, action)?;
            match unit.commit_or_replay(Some(&made)).await {
                Ok(other) => return Ok(other.unwrap_or(made)),
                Err(CommitFailure::Error(error)) => return Err(error),
                Err(CommitFailure::Conflict(_)) => {
                    attempt += 1;
                    self.again(attempt, A::TABLE.noun).await?;
                }
            }
        }
    }

    /// Changes an entity with the call's action: loads it, checks its status against the contract, applies `edit` and
    /// commits. A conflict starts it again, unless the caller named a version. Only the idempotency record is written
    /// when `edit` changes nothing, or when the entity already has the status that the call leads to.
    ///
    /// # Errors
    /// `NOT_FOUND`, `STATUS_NOT_ALLOWED`, `VERSION_MISMATCH`, `CONTENTION`, or the error of `edit`.
    pub async fn change<A: Aggregate>(&self, id: &str, edit: impl FnMut(&mut A) -> Result<()> + Send) -> Result<A> {
        self.change_as(id, self.method().action, edit).await
    }

    /// Changes an entity with another action that the call declares.
    ///
    /// # Errors
    /// As [`Call::change`].
    pub async fn change_as<A: Aggregate>(
        &self,
        id: &str,
        action: &'static str,
        edit: impl FnMut(&mut A) -> Result<()> + Send,
    ) -> Result<A> {
        Change { call: self, action, declared: false, again: false, target: None }.make(id, edit, A::clone).await
    }

    /// A declared change, with the consequences of the aggregate. `answer` makes the answer from the changed entity.
    /// Its values are applied even if the entity already has the status that the call leads to.
    ///
    /// # Errors
    /// As [`Call::change`], or the refusal of the consequences.
    pub async fn apply_change<A: Aggregate, S: prost::Message + Default>(
        &self,
        id: &str,
        answer: impl Fn(&A) -> S + Send,
        edit: impl FnMut(&mut A) -> Result<()> + Send,
    ) -> Result<S> {
        let action = self.method().action;
        Change { call: self, action, declared: true, again: true, target: None }.make(id, edit, answer).await
    }

    /// A declared change whose edit is written in Rust ([`Edit`](crate::Edit)). An entity that already has the status
    /// that the call leads to is answered unchanged.
    ///
    /// # Errors
    /// As [`Call::apply_change`].
    pub async fn apply_edit<A: Aggregate, S: prost::Message + Default>(
        &self,
        id: &str,
        answer: impl Fn(&A) -> S + Send,
        edit: impl FnMut(&mut A) -> Result<()> + Send,
    ) -> Result<S> {
        let action = self.method().action;
        Change { call: self, action, declared: true, again: false, target: None }.make(id, edit, answer).await
    }

    /// Removes an entity from reads and answers its last state.
    ///
    /// # Errors
    /// As [`Call::change`].
    pub async fn delete<A: Aggregate>(&self, id: &str) -> Result<A> {
        self.remove(id, false).await
    }

    /// A declared removal, with the consequences of the aggregate.
    ///
    /// # Errors
    /// As [`Call::change`], or the refusal of the consequences.
    pub async fn apply_delete<A: Aggregate>(&self, id: &str) -> Result<A> {
        self.remove(id, true).await
    }

    async fn remove<A: Aggregate>(&self, id: &str, declared: bool) -> Result<A> {
        let mut attempt = 0;
        loop {
            let before: A = self.get(id).await?;
            self.check_transition(&before)?;
            let mut step = Step { unit: self.unit(), before: Some(before), after: None, action: self.method().action };
            if declared {
                A::follow(self, &mut step).await?;
            }
            let Step { mut unit, before, action, .. } = step;
            let after = unit.remove_as(before.ok_or_else(lost)?, action)?;
            match unit.commit_or_replay(Some(&after)).await {
                Ok(Some(replayed)) => return Ok(replayed),
                Ok(None) => return Ok(after),
                Err(CommitFailure::Error(error)) => return Err(error),
                Err(CommitFailure::Conflict(_)) => {
                    attempt += 1;
                    self.again(attempt, A::TABLE.noun).await?;
                }
            }
        }
    }

    /// Answers a write that changes nothing, and leaves its idempotency record: the key belongs to this request from now
    /// on, and a repeat gets this answer.
    ///
    /// # Errors
    /// `IDEMPOTENCY_KEY_REUSED` when another request with the same key was faster.
    pub async fn answer_unchanged<S: prost::Message + Default>(&self, answer: S) -> Result<S> {
        match self.unit().commit_or_replay(Some(&answer)).await {
            Ok(earlier) => Ok(earlier.unwrap_or(answer)),
            Err(CommitFailure::Error(error) | CommitFailure::Conflict(error)) => Err(error),
        }
    }

    /// Whether the entity already has the status that this call leads to. Such a call writes nothing and is safe to
    /// repeat.
    fn is_applied<A: Aggregate>(&self, entity: &A) -> bool {
        let method = self.method();
        let status = entity.head().status;
        method.aggregate.is_some_and(|table| table.name == A::TABLE.name)
            && method.to == [status]
            && !method.from.contains(&status)
    }

    /// Checks an entity's version against the caller's, and its status against the contract.
    ///
    /// # Errors
    /// `VERSION_MISMATCH`, `STATUS_NOT_ALLOWED`.
    pub fn check_transition<A: Aggregate>(&self, entity: &A) -> Result<()> {
        let head = entity.head();
        let (noun, method) = (A::TABLE.noun, self.method());
        if method.aggregate.is_none_or(|table| table.name != A::TABLE.name) {
            return Ok(());
        }
        self.expects(entity)?;
        if method.from.contains(&head.status) {
            return Ok(());
        }
        let legal = self.kernel().legal(A::TABLE, head.status).join(", ");
        let allowed =
            if legal.is_empty() { "it allows no change any more".to_owned() } else { format!("it allows {legal}") };
        let error = Error::new(
            Common::StatusNotAllowed,
            format!("{} is not allowed while the {noun} is {}", method.rpc, head.status),
        );
        Err(error.with("status", head.status).precondition("STATUS", format!("{}/{}", A::TABLE.name, head.id), allowed))
    }

    /// Checks an entity's version against the caller's.
    fn expects<A: Aggregate>(&self, entity: &A) -> Result<()> {
        let (noun, version) = (A::TABLE.noun, entity.head().version);
        let Some(wanted) = self.parts().conditions.if_match.filter(|wanted| *wanted != version) else { return Ok(()) };
        let message = format!("the {noun} has changed: it is at version {version}, not {wanted}");
        Err(Error::new(Common::VersionMismatch, message).with("version", version.to_string()))
    }

    /// Waits for a random moment before the next attempt, or refuses after the last one. The next attempt also notices
    /// when the caller's named version is past.
    async fn again(&self, attempt: u32, noun: &str) -> Result<()> {
        if attempt >= ATTEMPTS {
            return Err(Error::new(Common::Contention, format!("the {noun} is being changed by others; try again")));
        }
        let jitter = self.kernel().ids().bits() % (1000 << attempt);
        tokio::time::sleep(Duration::from_micros(jitter)).await;
        Ok(())
    }
}

/// The options of one change.
struct Change<'c> {
    call: &'c Call,
    action: &'static str,
    /// Whether the consequences of the aggregate run.
    declared: bool,
    /// Whether an entity is edited that already has the status that the call leads to.
    again: bool,
    /// The status that the request names.
    target: Option<ToStatus>,
}

impl Change<'_> {
    async fn make<A: Aggregate, S: prost::Message + Default>(
        &self,
        id: &str,
        mut edit: impl FnMut(&mut A) -> Result<()> + Send,
        answer: impl Fn(&A) -> S + Send,
    ) -> Result<S> {
        let call = self.call;
        let mut attempt = 0;
        loop {
            let before: A = call.get(id).await?;
            let is_applied = self.target.map_or_else(|| call.is_applied(&before), |target| target.is_met(&before));
            if is_applied && !self.again {
                return call.answer_unchanged(answer(&before)).await;
            }
            if !is_applied {
                call.check_transition(&before)?;
            }
            let mut action = self.action;
            if let Some(target) = self.target {
                target.check(call, &before)?;
                action = target.action::<A>(call, before.head().status);
            }
            let mut after = before.clone();
            edit(&mut after)?;
            after.normalize();
            after.derive(Some(&before), &call.timestamp())?;
            if after == before {
                return call.answer_unchanged(answer(&before)).await;
            }
            call.expects(&before)?;
            after.check()?;
            let mut step = Step { unit: call.unit(), before: Some(before), after: Some(after), action };
            if self.declared {
                A::follow(call, &mut step).await?;
            }
            let Step { mut unit, before, after, action } = step;
            let (before, after) = before.zip(after).ok_or_else(lost)?;
            let after = unit.update_as(&before, after, action)?;
            let answer = answer(&after);
            match unit.commit_or_replay(Some(&answer)).await {
                Ok(Some(replayed)) => return Ok(replayed),
                Ok(None) => return Ok(answer),
                Err(CommitFailure::Error(error)) => return Err(error),
                Err(CommitFailure::Conflict(_)) => {
                    attempt += 1;
                    call.again(attempt, A::TABLE.noun).await?;
                }
            }
        }
    }
}

/// The error of consequences that turn a change into a removal, or the reverse.
fn lost() -> Error {
    Error::internal("what was to be written is not there any more")
}
