//! The aggregates: their statuses, the sets of them, and the journal that they belong to.

use std::collections::BTreeMap;

use prost_reflect::{DescriptorPool, DynamicMessage, EnumDescriptor, MessageDescriptor, ServiceDescriptor, Value};

use super::edit::Edits;
use super::options::Options;
use super::{display, read, scope};

/// The aggregates of a set, by full name.
pub(super) struct Aggregates(BTreeMap<String, Aggregate>);

/// The parts of an aggregate that its calls need.
pub(super) struct Aggregate {
    said: DynamicMessage,
    /// The spellings of its statuses, in the order of their numbers.
    pub(super) statuses: Vec<String>,
    terminal: Vec<String>,
    sets: BTreeMap<String, Vec<String>>,
    /// The paths of its unique lookups that are personal data.
    pub(super) personal: Vec<String>,
}

impl Aggregates {
    pub(super) fn read(pool: &DescriptorPool, options: &Options) -> Result<Self, String> {
        let mut found = BTreeMap::new();
        for message in pool.all_messages() {
            let Some(said) = read::option(&message.options(), &options.aggregate) else { continue };
            let status = message.get_field_by_name("status").and_then(|field| field.kind().as_enum().cloned());
            let sets = read::messages(&said, "sets");
            let aggregate = Aggregate {
                statuses: status.map(|status| spellings(&status, pool)).unwrap_or_default(),
                terminal: read::texts(&said, "terminal"),
                personal: personal(&message, &said, options),
                sets: sets.iter().map(|set| (read::text(set, "name"), read::texts(set, "statuses"))).collect(),
                said,
            };
            aggregate.check(message.full_name())?;
            found.insert(message.full_name().to_owned(), aggregate);
        }
        display::check_keys(found.iter().map(|(name, aggregate)| (name.as_str(), &aggregate.said)))?;
        Ok(Self(found))
    }

    /// The aggregate of that full name.
    pub(super) fn get(&self, name: &str) -> Option<&Aggregate> {
        self.0.get(name)
    }

    /// Names the journal of each.
    pub(super) fn expand(&self, options: &Options, services: &[ServiceDescriptor], edits: &mut Edits) {
        for (name, aggregate) in &self.0 {
            let mut said = aggregate.said.clone();
            said.clear_field_by_name("sets");
            aggregate.expand_dues(&mut said);
            aggregate.expand_in_use(&mut said);
            scope::of_group(&mut said);
            said.set_field_by_name("journal", Value::String(self.journal(name, options, services)));
            edits.set(name, &options.aggregate, said);
        }
    }

    /// The journal that an aggregate names, or else its parent's, or that of the first service whose calls answer it.
    fn journal(&self, name: &str, options: &Options, services: &[ServiceDescriptor]) -> String {
        let said = |name: &str| self.0.get(name).map(|aggregate| &aggregate.said);
        let named = |name: &str| said(name).map(|said| read::text(said, "journal")).filter(|named| !named.is_empty());
        if let Some(named) = named(name) {
            return named;
        }
        let parent = said(name).and_then(|said| read::message(said, "parent"));
        let package = name.rsplit_once('.').map_or("", |(package, _)| package);
        let parent = parent.map(|parent| format!("{package}.{}", read::text(&parent, "aggregate")));
        let name = parent.as_deref().unwrap_or(name);
        if let Some(named) = named(name) {
            return named;
        }
        let answers =
            |service: &&ServiceDescriptor| service.methods().any(|method| method.output().full_name() == name);
        let service = services.iter().find(answers);
        let said = service.and_then(|service| read::option(&service.options(), &options.service));
        said.map(|said| read::text(&said, "name")).unwrap_or_default()
    }
}

impl Aggregate {
    /// A set has another name than the statuses, and nothing but statuses in it.
    fn check(&self, place: &str) -> Result<(), String> {
        for (name, statuses) in &self.sets {
            if self.statuses.contains(name) {
                return Err(format!("{place}: the set {name} has the name of a status"));
            }
            if let Some(odd) = statuses.iter().find(|status| !self.statuses.contains(status)) {
                return Err(format!("{place}: the set {name} names {odd}, which is no status"));
            }
        }
        Ok(())
    }

    /// The statuses that are mentioned, with those of each set that is named, in the order of their numbers.
    pub(super) fn mentioned(&self, named: &[String]) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for name in named {
            let set = self.sets.get(name).map_or(std::slice::from_ref(name), Vec::as_slice);
            found.extend(set.iter().cloned());
        }
        // One that the aggregate does not have stays, at the end, for the check to find.
        found.sort_by_key(|status| self.statuses.iter().position(|other| other == status).unwrap_or(usize::MAX));
        found.dedup();
        found
    }

    /// The reasons for which its own Rust may refuse a declared write.
    pub(super) fn reasons(&self) -> Vec<String> {
        read::texts(&self.said, "reasons")
    }

    /// Spells out the statuses in which a day counts for a lookup: by default each that is not terminal.
    fn expand_dues(&self, said: &mut DynamicMessage) {
        let lookups = said.get_field_by_name_mut("lookups").and_then(Value::as_list_mut).into_iter().flatten();
        for lookup in lookups.filter_map(Value::as_message_mut) {
            let dues = lookup.get_field_by_name_mut("due").and_then(Value::as_list_mut).into_iter().flatten();
            for due in dues.filter_map(Value::as_message_mut) {
                let named = read::texts(due, "statuses");
                let statuses = if named.is_empty() { self.open() } else { self.mentioned(&named) };
                due.set_field_by_name("statuses", read::list(statuses));
            }
        }
    }

    /// Spells out the statuses in which its entities are in use.
    fn expand_in_use(&self, said: &mut DynamicMessage) {
        let rules = said.get_field_by_name_mut("on_merge").and_then(Value::as_list_mut).into_iter().flatten();
        for rule in rules.filter_map(Value::as_message_mut) {
            let named = read::texts(rule, "in_use");
            if !named.is_empty() {
                rule.set_field_by_name("in_use", read::list(self.mentioned(&named)));
            }
        }
    }

    /// The statuses that something leads out of.
    pub(super) fn open(&self) -> Vec<String> {
        self.statuses.iter().filter(|status| !self.terminal.contains(status)).cloned().collect()
    }
}

/// The paths of the unique lookups that are personal data.
fn personal(message: &MessageDescriptor, said: &DynamicMessage, options: &Options) -> Vec<String> {
    let is_personal = |path: &String| {
        let mut message = Some(message.clone());
        path.split('.').any(|part| {
            let Some(field) = message.take().and_then(|message| message.get_field_by_name(part)) else { return false };
            message = field.kind().as_message().cloned();
            read::option(&field.options(), &options.field).is_some_and(|field| read::flag(&field, "pii"))
        })
    };
    let lookups = read::messages(said, "lookups");
    let unique = lookups.iter().filter(|lookup| read::flag(lookup, "unique"));
    unique.map(|lookup| read::text(lookup, "field")).filter(is_personal).collect()
}

/// The documented spellings of the values, but for the unspecified one.
fn spellings(status: &EnumDescriptor, pool: &DescriptorPool) -> Vec<String> {
    let spelling = pool.get_extension_by_name("pavise.contract.v1.spelling");
    let zero = status.get_value(0).map(|value| value.name().to_owned()).unwrap_or_default();
    let prefix = zero.strip_suffix("UNSPECIFIED").unwrap_or_default();
    let spelled = |value: prost_reflect::EnumValueDescriptor| {
        let options = value.options();
        let said = spelling.as_ref().filter(|spelling| options.has_extension(spelling));
        let said = said.and_then(|spelling| options.get_extension(spelling).as_str().map(str::to_owned));
        said.unwrap_or_else(|| value.name().strip_prefix(prefix).unwrap_or(value.name()).to_owned())
    };
    status.values().filter(|value| value.number() != 0).map(spelled).collect()
}
