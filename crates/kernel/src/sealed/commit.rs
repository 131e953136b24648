//! Seals the commands for the committer, and opens what it answers.

use std::collections::BTreeSet;

use super::answer;
use super::sealer::{FieldSealer, close, parse};
use super::walk::Place;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::port::store::{Command, Outcome};

impl FieldSealer {
    /// Seals the documents, the lookups and the kept answer of a command.
    async fn seal_command(&self, mut command: Command) -> Result<Command> {
        let mut docs = Vec::new();
        for (at, write) in command.writes.iter().enumerate() {
            let Some(plan) = self.plans.of_message(write.table.message) else { continue };
            let mut doc = parse(&write.row.doc)?;
            let place = Place::new(write.table.name, &write.row.id, &write.row.owner_id);
            let mut names = BTreeSet::new();
            self.plans.walk(plan, &mut doc, &place, &mut |slot| {
                names.insert(slot.key_name());
                Ok(true)
            })?;
            if !names.is_empty() {
                docs.push((at, plan, doc, place, names));
            }
        }
        if !docs.is_empty() {
            let names = docs.iter().flat_map(|(.., names)| names.iter().cloned()).collect();
            let keys = self.configured_keys()?.fetch_or_make(&names).await?;
            for (at, plan, mut doc, place, _) in docs {
                self.plans.walk(plan, &mut doc, &place, &mut |slot| close(slot, &keys))?;
                if let Some(write) = command.writes.get_mut(at) {
                    write.row.doc = doc.to_string();
                }
            }
        }
        for write in &mut command.writes {
            for (lookup, value) in write.lookups.iter_mut().filter(|(lookup, _)| lookup.blind) {
                *value = self.blind(write.table, lookup, value).await?;
            }
        }
        answer::seal_answer(self, command).await
    }
}

impl Kernel {
    /// Seals a command for the committer.
    ///
    /// # Errors
    /// `NOT_CONFIGURED` without a master key, `PERSON_ERASED`, or when the key database does not answer.
    pub async fn seal_command(&self, command: Command) -> Result<Command> {
        match self.field_sealer() {
            Some(sealer) => sealer.seal_command(command).await,
            None => Ok(command),
        }
    }

    /// Opens the outcome of a sealed command.
    ///
    /// # Errors
    /// As [`Kernel::seal_command`].
    pub async fn open_outcome(&self, outcome: Outcome) -> Result<Outcome> {
        match (self.field_sealer(), outcome) {
            (Some(sealer), Outcome::Replayed(record)) => {
                Ok(Outcome::Replayed(answer::open_answer(sealer, record).await?))
            }
            (_, outcome) => Ok(outcome),
        }
    }

    /// Marks a kept answer with its message, where it has sealed fields.
    pub(crate) fn mark_answer(&self, message: &str, owner: &str, answer: Vec<u8>) -> Vec<u8> {
        match self.field_sealer() {
            Some(sealer) if sealer.plans.of_message(message).is_some() => answer::mark(message, owner, &answer),
            _ => answer,
        }
    }
}
