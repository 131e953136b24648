//! A command, and its outcome.

use std::collections::HashSet;

use crate::port::conditions::Condition;
use crate::port::numbers::NumberPlan;
use crate::port::store::row::{IdempotencyRecord, Write};

/// Writes that are committed together: all of them or none.
#[derive(Debug, Clone, Default)]
pub struct Command {
    /// The journal of its record and its outcome. At least one of its writes belongs to it, if it has any.
    pub journal: &'static str,
    /// The changes, each of a different entity. Each takes the next clock of its table's journal, in this order. All
    /// journals lie in one database.
    pub writes: Vec<Write>,
    /// The idempotency record, so that a repeat gets the same answer.
    pub record: Option<IdempotencyRecord>,
    /// The time, in microseconds since the epoch.
    pub at: i64,
    /// The identity that acts.
    pub actor: String,
    /// The impersonated identity; empty without impersonation.
    pub subject: String,
    /// The request's id.
    pub request_id: String,
    /// The numbers that it takes. The documents hold marks for them.
    pub numbers: NumberPlan,
    /// Its conditions besides the versions of its writes. The outcome is a conflict if one does not hold.
    pub conditions: Vec<Condition>,
}

impl Command {
    /// Whether it needs no more than the lock of its journal, and depends on nothing that an engine has to read under the
    /// lock: no number, no condition.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.numbers.wanted.is_empty() && self.conditions.is_empty() && self.other_journals().next().is_none()
    }

    /// The journals that it writes to besides its own, once for each write.
    pub fn other_journals(&self) -> impl Iterator<Item = &'static str> {
        self.writes.iter().map(|write| write.table.journal).filter(|journal| *journal != self.journal)
    }

    /// The reason why no engine may store it; `None` when it is fine. A value that one engine refuses or changes is
    /// refused by every engine.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        if !self.writes.is_empty() && self.other_journals().count() == self.writes.len() {
            return Some(format!("none of its writes belongs to the journal {}", self.journal));
        }
        for write in &self.writes {
            let row = &write.row;
            let lookups = write.lookups.iter().map(|(_, value)| value);
            if [&row.id, &row.owner_id, &row.status, &write.action, &row.doc]
                .into_iter()
                .chain(lookups)
                .any(|text| text.contains('\0'))
            {
                return Some(format!("a NUL character in a text of {} {:?}", write.table.name, row.id));
            }
            if escapes_nul(&row.doc) {
                return Some(format!("a NUL character in the document of {} {:?}", write.table.name, row.id));
            }
        }
        // A command may write an entity once: the commit checks a single expected version per entity.
        let mut changed = HashSet::with_capacity(self.writes.len());
        if let Some(twice) = self.writes.iter().find(|write| !changed.insert((write.table.name, write.row.id.as_str())))
        {
            return Some(format!("{} {:?} is changed twice", twice.table.name, twice.row.id));
        }
        let record = self.record.iter().flat_map(|record| [&record.key, &record.request]);
        let series = self.numbers.wanted.iter().map(|number| &number.series);
        let texts = [&self.actor, &self.subject, &self.request_id].into_iter().chain(record).chain(series);
        let mut texts = texts.chain(self.conditions.iter().map(Condition::text));
        texts.any(|text| text.contains('\0')).then(|| "a NUL character in a text of the command".to_owned())
    }
}

/// Whether a JSON text has the escape of the NUL character: `\u0000` after an even number of backslashes.
fn escapes_nul(json: &str) -> bool {
    json.match_indices("\\u0000").any(|(at, _)| {
        let before = json.as_bytes().get(..at).unwrap_or_default();
        before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 0
    })
}

/// The outcome of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is durable. Holds the clock of its last entry.
    Committed(i64),
    /// It is durable, and took these numbers in the order of the command. Holds the clock of its last entry.
    Numbered(i64, Vec<String>),
    /// An entity has another version than expected, or does not exist, or a condition does not hold. Nothing was
    /// written.
    Conflict,
    /// An entity to be created exists already: nothing was written.
    Exists,
    /// A unique lookup's value is taken: nothing was written. Holds the lookup's name.
    Taken(String),
    /// The idempotency key was used before; nothing was written. The caller compares the request.
    Replayed(IdempotencyRecord),
    /// The engine cannot store one of its values (a NUL character, text that is not JSON). Nothing was written, and a
    /// retry fails again. The text is for the log only.
    Refused(String),
}

impl Outcome {
    /// The clock of the command's last entry; `None` when nothing was written.
    #[must_use]
    pub fn clock(&self) -> Option<i64> {
        match self {
            Self::Committed(clock) | Self::Numbered(clock, _) => Some(*clock),
            Self::Conflict | Self::Exists | Self::Taken(_) | Self::Replayed(_) | Self::Refused(_) => None,
        }
    }
}
