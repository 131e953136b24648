//! Decides which commands of a batch pass and which clocks they take. Every storage engine does so before it writes.
//!
//! An engine holds the journals' counters and reads what [`ReadPlan`] asks for into [`StoredState`]. [`CommitPlan`] decides, and the
//! engine writes the plan.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use pavise_contract::table::Lookup;

use crate::port::conditions::{Condition, GroupName, GroupState, name_of};
use crate::port::numbers::{AssignedNumber, RewriteError, fill, fill_record};
use crate::port::store::{Command, IdempotencyRecord, Outcome, Write, fold_value};

/// Whether an entity or an idempotency key occurs twice. The later command must then see the effect of the earlier one.
#[must_use]
pub fn has_repeats(commands: &[&Command]) -> bool {
    let mut seen = HashSet::new();
    let mut marks = commands.iter().flat_map(|command| {
        let entities = command.writes.iter().map(|write| (write.table.name, write.row.id.as_str()));
        entities.chain(command.record.iter().map(|record| (command.journal, record.key.as_str())))
    });
    marks.any(|mark| !seen.insert(mark))
}

/// A value that no other entity may have.
#[derive(Debug, Clone)]
pub struct UniqueValue {
    /// The name of the lookup.
    pub name: &'static str,
    /// The value, then those of the fields that it is unique within.
    pub parts: Vec<(&'static Lookup, String)>,
}

/// The values of an entity that no other entity may have.
#[must_use]
pub fn unique_values(write: &Write) -> Vec<UniqueValue> {
    let doc: serde_json::Value = serde_json::from_str(&write.row.doc).unwrap_or_default();
    let value = |lookup: &Lookup| Some(fold_value(lookup, doc.get(lookup.json)?.as_str()?).into_owned());
    let scalars = write.table.lookups.iter().filter(|lookup| lookup.unique && !lookup.many);
    let scalars = scalars.filter_map(|lookup| {
        let within = lookup.within.iter().map(|part| (part, value(part).unwrap_or_default()));
        let parts = std::iter::once((lookup, value(lookup)?)).chain(within).collect();
        Some(UniqueValue { name: lookup.name, parts })
    });
    let many: BTreeSet<(&str, &String)> = write.lookups.iter().map(|(lookup, value)| (lookup.name, value)).collect();
    let many = many.into_iter().filter_map(|(name, value)| Some((write.table.lookup(name)?, value.clone())));
    let many = many.filter(|(lookup, _)| lookup.unique);
    scalars.chain(many.map(|(lookup, value)| UniqueValue { name: lookup.name, parts: vec![(lookup, value)] })).collect()
}

/// The keys and versions to read before commands can be decided.
#[derive(Debug, Default)]
pub struct ReadPlan<'b> {
    /// Idempotency keys, by journal.
    pub keys: BTreeMap<&'static str, Vec<&'b str>>,
    /// Ids whose versions matter, by table.
    pub ids: BTreeMap<&'static str, Vec<&'b str>>,
    /// Series whose last counts matter, by journal.
    pub series: BTreeMap<&'static str, BTreeSet<&'b str>>,
    /// Groups whose states matter: the lookup and its values, by table and name.
    pub groups: BTreeMap<GroupName, (Option<&'static Lookup>, BTreeSet<&'b str>)>,
}

impl<'b> ReadPlan<'b> {
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
            for number in &command.numbers.wanted {
                wanted.series.entry(number.journal).or_default().insert(&number.series);
            }
            for condition in &command.conditions {
                match condition {
                    Condition::Version { table, id, .. } => wanted.ids.entry(table.name).or_default().push(id),
                    Condition::Group { table, lookup, value, .. } => {
                        let of = (table.name, name_of(*lookup));
                        wanted.groups.entry(of).or_insert((*lookup, BTreeSet::new())).1.insert(value);
                    }
                }
            }
        }
        wanted
    }
}

/// The idempotency records and versions that were read.
#[derive(Debug, Default)]
pub struct StoredState {
    /// The idempotency records that exist, by journal and key.
    pub records: HashMap<(&'static str, String), IdempotencyRecord>,
    /// The versions of the entities that exist, by table and id.
    pub versions: HashMap<(&'static str, String), i64>,
    /// The last counts of the series that exist, by journal and series.
    pub series: HashMap<(&'static str, String), i64>,
    /// The states of the groups, by table, lookup and value.
    pub groups: HashMap<(String, String, String), GroupState>,
}

impl StoredState {
    /// Records the state after `command` is committed.
    fn learn(&mut self, command: &Command, record: Option<IdempotencyRecord>, clock: i64) {
        for write in &command.writes {
            let entity = (write.table.name, write.row.id.clone());
            if write.removed {
                self.versions.remove(&entity);
            } else {
                self.versions.insert(entity, write.row.version);
            }
        }
        if let Some(record) = record {
            self.records.insert((command.journal, record.key.clone()), IdempotencyRecord { clock, ..record });
        }
    }

    /// The outcome that refuses a command; `None` when the command passes.
    fn refuses(&self, command: &Command) -> Option<Outcome> {
        if let Some(record) = &command.record
            && let Some(known) = self.records.get(&(command.journal, record.key.clone()))
        {
            return Some(Outcome::Replayed(known.clone()));
        }
        if command.conditions.iter().any(|condition| !self.holds(condition)) {
            return Some(Outcome::Conflict);
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

    fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Version { table, id, version } => {
                self.versions.get(&(table.name, id.clone())).copied() == *version
            }
            Condition::Group { table, lookup, value, state } => {
                let name = (table.name.to_owned(), name_of(*lookup).to_owned(), value.clone());
                self.groups.get(&name).copied().unwrap_or_default() == *state
            }
        }
    }

    /// The numbers that the command takes, in its order.
    fn count(&self, command: &Command) -> (Vec<AssignedNumber>, Counted) {
        let mut counts = Counted::new();
        let given = command.numbers.wanted.iter().map(|number| {
            let series = (number.journal, number.series.clone());
            let last = self.series.get(&series).copied().unwrap_or_default();
            let count = counts.entry(series).or_insert(last);
            *count += 1;
            (number.mark.clone(), number.text(*count))
        });
        let given = given.collect();
        (given, counts)
    }
}

/// The last number of each series, by journal and series.
type Counted = BTreeMap<(&'static str, String), i64>;

/// A write that passed.
#[derive(Debug, Clone)]
pub struct PlannedWrite<'b> {
    /// The command that it belongs to.
    pub command: &'b Command,
    /// The write, with its numbers.
    pub write: Cow<'b, Write>,
    /// Its clock.
    pub clock: i64,
}

/// An idempotency record to write.
#[derive(Debug, Clone)]
pub struct KeptRecord<'b> {
    /// The journal that it belongs to.
    pub journal: &'static str,
    /// The record; its clock is not filled.
    pub record: Cow<'b, IdempotencyRecord>,
    /// The clock of its commit.
    pub clock: i64,
}

/// The writes of a batch, and the outcomes to answer once the writes are durable.
#[derive(Debug, Default)]
pub struct CommitPlan<'b> {
    /// The writes, in the order of their journals' clocks, each of another entity.
    pub writes: Vec<PlannedWrite<'b>>,
    /// The idempotency records.
    pub records: Vec<KeptRecord<'b>>,
    /// One outcome per command, for as many commands as could be planned together. The next command changes an entity
    /// that one of them changed, so it is planned after their writes.
    pub outcomes: Vec<Outcome>,
    /// The clock of each journal after the plan.
    pub clocks: BTreeMap<&'static str, i64>,
    /// The last counts of the series that the plan takes numbers of, by journal and series.
    pub series: BTreeMap<(&'static str, String), i64>,
}

impl<'b> CommitPlan<'b> {
    /// Lets every command pass, with all journals at 0. Only for commands that do not [repeat](repeats) each other and
    /// are [plain](Command::is_plain). The engine must check versions and keys itself.
    #[must_use]
    pub fn hopeful(commands: &[&'b Command]) -> Self {
        let mut plan = Self::default();
        for command in commands {
            let clock = plan.place(command, &[], command.record.as_ref().map(Cow::Borrowed));
            plan.outcomes.push(Outcome::Committed(clock));
        }
        plan
    }

    /// Decides `commands` by what was `seen`, with the journals at `clocks`. A later command sees the effect of an
    /// earlier one.
    #[must_use]
    pub fn new(commands: &[&'b Command], clocks: BTreeMap<&'static str, i64>, mut seen: StoredState) -> Self {
        let mut plan = Self { clocks, ..Self::default() };
        let mut written = HashSet::new();
        for command in commands {
            // The state of a group was read before the writes of this plan.
            let grouped = |condition: &Condition| {
                let table = condition.table().name;
                matches!(condition, Condition::Group { .. }) && written.iter().any(|(written, _)| *written == table)
            };
            if command.conditions.iter().any(grouped) {
                break;
            }
            if let Some(refusal) = seen.refuses(command) {
                plan.outcomes.push(refusal);
                continue;
            }
            if !command.writes.iter().all(|write| written.insert((write.table.name, write.row.id.as_str()))) {
                break;
            }
            let outcome = plan.pass(command, &mut seen).unwrap_or_else(Outcome::Refused);
            plan.outcomes.push(outcome);
        }
        plan
    }

    /// Gives the command its numbers and its place.
    fn pass(&mut self, command: &'b Command, seen: &mut StoredState) -> Result<Outcome, RewriteError> {
        let (given, counts) = seen.count(command);
        let record = match &command.record {
            Some(record) if !given.is_empty() => {
                Some(Cow::Owned(fill_record(record, command.numbers.rewrite.as_ref(), &given)?))
            }
            record => record.as_ref().map(Cow::Borrowed),
        };
        seen.series.extend(counts.clone());
        self.series.extend(counts);
        let record_after = record.as_deref().cloned();
        let clock = self.place(command, &given, record);
        seen.learn(command, record_after, clock);
        let numbers: Vec<String> = given.into_iter().map(|(_, number)| number).collect();
        Ok(if numbers.is_empty() { Outcome::Committed(clock) } else { Outcome::Numbered(clock, numbers) })
    }

    /// The clock of the command's last entry.
    fn place(
        &mut self,
        command: &'b Command,
        given: &[AssignedNumber],
        record: Option<Cow<'b, IdempotencyRecord>>,
    ) -> i64 {
        for write in &command.writes {
            let clock = self.clocks.entry(write.table.journal).or_default();
            *clock += 1;
            let write = if given.is_empty() { Cow::Borrowed(write) } else { Cow::Owned(fill(write, given)) };
            self.writes.push(PlannedWrite { command, write, clock: *clock });
        }
        let clock = *self.clocks.entry(command.journal).or_default();
        self.records.extend(record.map(|record| KeptRecord { journal: command.journal, record, clock }));
        clock
    }

    /// The writes and the records of each journal, as plans without outcomes.
    #[must_use]
    pub fn parts(&self) -> BTreeMap<&'static str, Self> {
        let mut parts: BTreeMap<&'static str, Self> = BTreeMap::new();
        for one in &self.writes {
            parts.entry(one.write.table.journal).or_default().writes.push(one.clone());
        }
        for one in &self.records {
            parts.entry(one.journal).or_default().records.push(one.clone());
        }
        parts
    }

    /// Whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty() && self.records.is_empty()
    }
}
