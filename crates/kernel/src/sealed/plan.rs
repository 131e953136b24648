//! The places of sealed fields, compiled from the descriptors.

use std::collections::{HashMap, HashSet};

use pavise_contract::{sealed_of, table_of};
use prost_reflect::{DescriptorPool, FieldDescriptor, MessageDescriptor};

/// The messages that hold a sealed field at some depth.
#[derive(Debug, Default)]
pub(super) struct Plans {
    pub(super) plans: Vec<Plan>,
    messages: HashMap<String, usize>,
    tables: HashMap<String, usize>,
}

/// The fields of a message that lead to sealed fields, or are sealed.
#[derive(Debug)]
pub(super) struct Plan {
    /// The table of an aggregate.
    pub(super) table: Option<String>,
    pub(super) fields: Vec<Field>,
}

#[derive(Debug)]
pub(super) struct Field {
    /// The key in JSON.
    pub(super) json: String,
    pub(super) step: Step,
}

#[derive(Debug)]
pub(super) enum Step {
    /// It is sealed; the key of the field beside it that names its person.
    Sealed(Option<String>),
    /// It holds such a message, or a list of them.
    Inner(usize),
    /// It maps to such messages.
    Map(usize),
}

impl Plans {
    pub(super) fn compile(pool: &DescriptorPool) -> Self {
        let holders = find_holders(pool, |field| sealed_of(field).is_some());
        let by_name: HashMap<String, usize> =
            holders.iter().enumerate().map(|(at, one)| (one.full_name().to_owned(), at)).collect();
        let plans: Vec<Plan> = holders.iter().map(|one| plan(one, &by_name)).collect();
        let tables =
            plans.iter().enumerate().filter_map(|(at, plan)| plan.table.clone().map(|table| (table, at))).collect();
        Self { plans, messages: by_name, tables }
    }

    /// The paths of a message's sealed fields.
    pub(super) fn describe(&self, message: &str) -> String {
        let mut found = Vec::new();
        if let Some(plan) = self.of_message(message) {
            self.paths(plan, message, &mut vec![plan], &mut found);
        }
        found.join("\n")
    }

    fn paths(&self, plan: usize, path: &str, above: &mut Vec<usize>, found: &mut Vec<String>) {
        for field in self.plans.get(plan).iter().flat_map(|plan| &plan.fields) {
            let path = format!("{path}.{}", field.json);
            match &field.step {
                Step::Sealed(subject) => found.push(format!("{path} {subject:?}")),
                Step::Inner(at) | Step::Map(at) if !above.contains(at) => {
                    above.push(*at);
                    self.paths(*at, &path, above, found);
                    above.pop();
                }
                Step::Inner(_) | Step::Map(_) => {}
            }
        }
    }

    pub(super) fn of_message(&self, name: &str) -> Option<usize> {
        self.messages.get(name).copied()
    }

    pub(super) fn of_table(&self, name: &str) -> Option<usize> {
        self.tables.get(name).copied()
    }
}

/// The messages that hold such a field at some depth.
pub(super) fn find_holders(pool: &DescriptorPool, such: impl Fn(&FieldDescriptor) -> bool) -> Vec<MessageDescriptor> {
    let messages: Vec<MessageDescriptor> = pool.all_messages().filter(|one| !one.is_map_entry()).collect();
    let holds_one = |one: &MessageDescriptor| one.fields().any(|field| such(&field));
    let mut holds: HashSet<String> =
        messages.iter().filter(|one| holds_one(one)).map(|one| one.full_name().to_owned()).collect();
    // A message may hold itself, so this goes on until nothing is new.
    loop {
        let leads = |one: &&MessageDescriptor| {
            let mut inner = one.fields().filter_map(|field| inner(&field));
            !holds.contains(one.full_name()) && inner.any(|of| holds.contains(of.full_name()))
        };
        let found: Vec<String> = messages.iter().filter(leads).map(|one| one.full_name().to_owned()).collect();
        if found.is_empty() {
            return messages.into_iter().filter(|one| holds.contains(one.full_name())).collect();
        }
        holds.extend(found);
    }
}

fn plan(message: &MessageDescriptor, known: &HashMap<String, usize>) -> Plan {
    let field = |field: FieldDescriptor| {
        let step = match sealed_of(&field) {
            Some(rule) => {
                let subject = message.get_field_by_name(&rule.subject);
                Step::Sealed(subject.map(|subject| subject.json_name().to_owned()))
            }
            None => {
                let at = *known.get(inner(&field)?.full_name())?;
                if field.is_map() { Step::Map(at) } else { Step::Inner(at) }
            }
        };
        Some(Field { json: field.json_name().to_owned(), step })
    };
    Plan { table: table_of(message), fields: message.fields().filter_map(field).collect() }
}

/// The message of a field, or of a map's values.
pub(super) fn inner(field: &FieldDescriptor) -> Option<MessageDescriptor> {
    let message = field.kind().as_message().cloned()?;
    if field.is_map() { message.map_entry_value_field().kind().as_message().cloned() } else { Some(message) }
}
