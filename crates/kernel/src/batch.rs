//! Decides which commands of a batch pass and which clocks they take. Every storage engine does so before it writes.
//!
//! An engine holds the journals' counters and reads what [`Wanted`] asks for into [`Seen`]. [`Plan`] decides, and the
//! engine writes the plan.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use pavise_contract::table::Lookup;

use crate::store::{Command, IdempotencyRecord, Outcome, Write, folded};

/// Whether an entity or an idempotency key occurs twice. The later command must then see the effect of the earlier one.
#[must_use]
pub fn repeats(commands: &[&Command]) -> bool {
    let mut seen = HashSet::new();
    let mut marks = commands.iter().flat_map(|command| {
        let entities = command.writes.iter().map(|write| (write.table.name, write.row.id.as_str()));
        entities.chain(command.record.iter().map(|record| (command.journal, record.key.as_str())))
    });
    marks.any(|mark| !seen.insert(mark))
}

/// The values of an entity that no other entity may have.
#[must_use]
pub fn unique_values(write: &Write) -> Vec<(&'static Lookup, String)> {
    let doc: serde_json::Value = serde_json::from_str(&write.row.doc).unwrap_or_default();
    let scalars = write.table.lookups.iter().filter(|lookup| lookup.unique && !lookup.many);
    let scalars =
        scalars.filter_map(|lookup| Some((lookup, folded(lookup, doc.get(lookup.json)?.as_str()?).into_owned())));
    let many: BTreeSet<(&str, &String)> = write.lookups.iter().map(|(lookup, value)| (lookup.name, value)).collect();
    let many = many.into_iter().filter_map(|(name, value)| Some((write.table.lookup(name)?, value.clone())));
    scalars.chain(many.filter(|(lookup, _)| lookup.unique)).collect()
}

/// The keys and versions to read before commands can be decided.
#[derive(Debug, Default)]
pub struct Wanted<'b> {
    /// Idempotency keys, by journal.
    pub keys: BTreeMap<&'static str, Vec<&'b str>>,
    /// Ids whose versions matter, by table.
    pub ids: BTreeMap<&'static str, Vec<&'b str>>,
}

impl<'b> Wanted<'b> {
    /// The keys and versions that `commands` depend on.
    #[must_use]
    pub fn of(commands: &[&'b Command]) -> Self {
        let mut wanted = Self::default();
        for command in commands {
            if let Some(record) = &command.record {
                wanted.keys.entry(command.journal).or_default().push(&record.key);
            }
            for write in &command.writes {
                wanted.ids.entry(write.table.name).or_default().push(&write.row.id);
            }
        }
        wanted
    }
}

/// The idempotency records and versions that were read.
#[derive(Debug, Default)]
pub struct Seen {
    /// The idempotency records that exist, by journal and key.
    pub records: HashMap<(&'static str, String), IdempotencyRecord>,
    /// The versions of the entities that exist, by table and id.
    pub versions: HashMap<(&'static str, String), i64>,
}

impl Seen {
    /// Records the state after `command` is committed.
    fn learn(&mut self, command: &Command, clock: i64) {
        for write in &command.writes {
            let entity = (write.table.name, write.row.id.clone());
            if write.removed {
                self.versions.remove(&entity);
            } else {
                self.versions.insert(entity, write.row.version);
            }
        }
        if let Some(record) = &command.record {
            self.records.insert((command.journal, record.key.clone()), IdempotencyRecord { clock, ..record.clone() });
        }
    }

    /// The outcome that refuses a command; `None` when the command passes.
    fn refuses(&self, command: &Command) -> Option<Outcome> {
        if let Some(record) = &command.record
            && let Some(known) = self.records.get(&(command.journal, record.key.clone()))
        {
            return Some(Outcome::Replayed(known.clone()));
        }
        command.writes.iter().find_map(|write| {
            let found = self.versions.get(&(write.table.name, write.row.id.clone())).copied();
            match (write.expected, found) {
                (None, Some(_)) => Some(Outcome::Exists),
                (expected, found) if expected != found => Some(Outcome::Conflict),
                _ => None,
            }
        })
    }
}

/// A write that passed.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'b> {
    /// The command that it belongs to.
    pub command: &'b Command,
    /// The write.
    pub write: &'b Write,
    /// Its clock.
    pub clock: i64,
}

/// An idempotency record to write.
#[derive(Debug, Clone, Copy)]
pub struct Kept<'b> {
    /// The journal that it belongs to.
    pub journal: &'static str,
    /// The record; its clock is not filled.
    pub record: &'b IdempotencyRecord,
    /// The clock of its commit.
    pub clock: i64,
}

/// The writes of a batch, and the outcomes to answer once the writes are durable.
#[derive(Debug, Default)]
pub struct Plan<'b> {
    /// The writes, in the order of their clocks, each of another entity.
    pub writes: Vec<Placed<'b>>,
    /// The idempotency records.
    pub records: Vec<Kept<'b>>,
    /// One outcome per command, for as many commands as could be planned together. The next command changes an entity
    /// that one of them changed, so it is planned after their writes.
    pub outcomes: Vec<Outcome>,
    /// The clock of each journal after the plan.
    pub clocks: BTreeMap<&'static str, i64>,
}

impl<'b> Plan<'b> {
    /// Lets every command pass, with all journals at 0. Only for commands that do not [repeat](repeats) each other. The
    /// engine must check versions and keys itself.
    #[must_use]
    pub fn hopeful(commands: &[&'b Command]) -> Self {
        let mut plan = Self::default();
        for command in commands {
            let clock = plan.place(command);
            plan.outcomes.push(Outcome::Committed(clock));
        }
        plan
    }

    /// Decides `commands` by what was `seen`, with the journals at `clocks`. A later command sees the effect of an
    /// earlier one.
    #[must_use]
    pub fn new(commands: &[&'b Command], clocks: BTreeMap<&'static str, i64>, mut seen: Seen) -> Self {
        let mut plan = Self { clocks, ..Self::default() };
        let mut written = HashSet::new();
        for command in commands {
            if let Some(refusal) = seen.refuses(command) {
                plan.outcomes.push(refusal);
                continue;
            }
            if !command.writes.iter().all(|write| written.insert((write.table.name, write.row.id.as_str()))) {
                break;
            }
            let clock = plan.place(command);
            seen.learn(command, clock);
            plan.outcomes.push(Outcome::Committed(clock));
        }
        plan
    }

    /// The clock of the command's last entry.
    fn place(&mut self, command: &'b Command) -> i64 {
        let clock = self.clocks.entry(command.journal).or_default();
        for write in &command.writes {
            *clock += 1;
            self.writes.push(Placed { command, write, clock: *clock });
        }
        self.records.extend(command.record.as_ref().map(|record| Kept {
            journal: command.journal,
            record,
            clock: *clock,
        }));
        *clock
    }

    /// Whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty() && self.records.is_empty()
    }
}
