//! What every storage engine does with a batch before it writes: which commands pass, and which clocks they take.
//!
//! An engine holds the journals' counters, reads what [`Wanted`] asks for into [`Seen`], lets [`Plan`] decide, and
//! writes what the plan says.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use pavise_contract::table::Lookup;

use crate::store::{Command, Memory, Outcome, Write, folded};

/// Whether an entity or an idempotency key occurs twice: then what comes second has to meet what came first.
#[must_use]
pub fn repeats(commands: &[&Command]) -> bool {
    let mut seen = HashSet::new();
    let mut marks = commands.iter().flat_map(|command| {
        let entities = command.writes.iter().map(|write| (write.table.name, write.row.id.as_str()));
        entities.chain(command.memory.iter().map(|memory| (command.journal, memory.key.as_str())))
    });
    marks.any(|mark| !seen.insert(mark))
}

/// The values of an entity that nobody else may have.
#[must_use]
pub fn unique_values(write: &Write) -> Vec<(&'static Lookup, String)> {
    let doc: serde_json::Value = serde_json::from_str(&write.row.doc).unwrap_or_default();
    let scalars = write.table.lookups.iter().filter(|lookup| lookup.unique && !lookup.many);
    let scalars = scalars.filter_map(|lookup| Some((lookup, folded(lookup, doc.get(lookup.json)?.as_str()?).into_owned())));
    let many: BTreeSet<(&str, &String)> = write.lookups.iter().map(|(lookup, value)| (lookup.name, value)).collect();
    let many = many.into_iter().filter_map(|(name, value)| Some((write.table.lookup(name)?, value.clone())));
    scalars.chain(many.filter(|(lookup, _)| lookup.unique)).collect()
}

/// What has to be read before commands can be decided upon.
#[derive(Debug, Default)]
pub struct Wanted<'b> {
    /// Idempotency keys, by journal.
    pub keys: BTreeMap<&'static str, Vec<&'b str>>,
    /// Ids whose versions matter, by table.
    pub ids: BTreeMap<&'static str, Vec<&'b str>>,
}

impl<'b> Wanted<'b> {
    /// What `commands` depend on.
    #[must_use]
    pub fn of(commands: &[&'b Command]) -> Self {
        let mut wanted = Self::default();
        for command in commands {
            if let Some(memory) = &command.memory {
                wanted.keys.entry(command.journal).or_default().push(&memory.key);
            }
            for write in &command.writes {
                wanted.ids.entry(write.table.name).or_default().push(&write.row.id);
            }
        }
        wanted
    }
}

/// What was read.
#[derive(Debug, Default)]
pub struct Seen {
    /// The idempotency records that exist, by journal and key.
    pub memories: HashMap<(&'static str, String), Memory>,
    /// The versions of the entities that exist, by table and id.
    pub versions: HashMap<(&'static str, String), i64>,
}

impl Seen {
    /// What is so once `command` is committed.
    fn learn(&mut self, command: &Command, clock: i64) {
        for write in &command.writes {
            let entity = (write.table.name, write.row.id.clone());
            if write.removed {
                self.versions.remove(&entity);
            } else {
                self.versions.insert(entity, write.row.version);
            }
        }
        if let Some(memory) = &command.memory {
            self.memories.insert((command.journal, memory.key.clone()), Memory { clock, ..memory.clone() });
        }
    }

    /// Why a command does not pass; `None` when it does.
    fn refuses(&self, command: &Command) -> Option<Outcome> {
        if let Some(memory) = &command.memory
            && let Some(known) = self.memories.get(&(command.journal, memory.key.clone()))
        {
            return Some(Outcome::Remembered(known.clone()));
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

/// An idempotency record that is to be kept.
#[derive(Debug, Clone, Copy)]
pub struct Kept<'b> {
    /// The journal that it belongs to.
    pub journal: &'static str,
    /// The record; its clock is not filled.
    pub memory: &'b Memory,
    /// The clock of its commit.
    pub clock: i64,
}

/// What is to be written, and what is to be answered once that is durable.
#[derive(Debug, Default)]
pub struct Plan<'b> {
    /// The writes, in the order of their clocks, each of another entity.
    pub writes: Vec<Placed<'b>>,
    /// The idempotency records.
    pub memories: Vec<Kept<'b>>,
    /// An outcome per command, for as many of the commands as could be planned together: the next one changes what
    /// one of them has changed, and has to be planned after that is written.
    pub outcomes: Vec<Outcome>,
    /// Where the journals stand after it.
    pub clocks: BTreeMap<&'static str, i64>,
}

impl<'b> Plan<'b> {
    /// Lets every command pass, with the journals standing at nothing. Only for commands of which none
    /// [repeats](repeats) another; the engine has to make sure of versions and keys itself.
    #[must_use]
    pub fn hopeful(commands: &[&'b Command]) -> Self {
        let mut plan = Self::default();
        for command in commands {
            let clock = plan.place(command);
            plan.outcomes.push(Outcome::Committed(clock));
        }
        plan
    }

    /// Decides upon `commands` by what was `seen`, with the journals standing at `clocks`. What comes later meets what
    /// came before it.
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
        self.memories.extend(command.memory.as_ref().map(|memory| Kept { journal: command.journal, memory, clock: *clock }));
        *clock
    }

    /// Whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty() && self.memories.is_empty()
    }
}
