//! The places of personal fields, compiled from the descriptors.

use std::collections::{BTreeSet, HashMap};

use pavise_contract::options::v1::erasure::Decision;
use pavise_contract::{Sensitivity, erasure_in, erasure_of, held_by, is_personal, parent_of, sealed_of, table_of};
use prost_reflect::{DescriptorPool, FieldDescriptor, MessageDescriptor};

use crate::sealed::plan::{find_holders, inner};

/// The messages that hold a personal field at some depth, by full name.
#[derive(Debug, Default)]
pub(crate) struct PersonalPlans {
    messages: HashMap<String, PersonalPlan>,
    /// The message of each table.
    tables: HashMap<String, String>,
    /// The table of the parent of each child's table, and the key of the field with the parent's id.
    parents: HashMap<String, (String, String)>,
}

/// A message that leads to personal fields.
#[derive(Debug)]
pub(super) struct PersonalPlan {
    /// Whether it is an entity.
    pub(super) is_entity: bool,
    /// The key of the field that names its person.
    pub(super) subject: Option<String>,
    pub(super) decision: Option<Decision>,
    /// The key of the field of an entity that is true while the entity must stay.
    pub(super) held: Option<String>,
    pub(super) fields: Vec<PersonalField>,
}

/// A field that is personal, or leads to such fields.
#[derive(Debug)]
pub(super) struct PersonalField {
    /// The key in JSON.
    pub(super) json: String,
    /// The key of the field beside it that names its person.
    pub(super) subject: Option<String>,
    pub(super) decision: Option<Decision>,
    pub(super) is_secret: bool,
    /// The message that leads on; `None` if the field itself is personal.
    pub(super) inner: Option<String>,
    pub(super) is_map: bool,
}

impl PersonalPlans {
    pub(crate) fn compile(pool: &DescriptorPool) -> Self {
        let holders = find_holders(pool, is_slot);
        let names: BTreeSet<String> = holders.iter().map(|one| one.full_name().to_owned()).collect();
        let tables = holders.iter().filter_map(|one| Some((table_of(one)?, one.full_name().to_owned()))).collect();
        let plans = holders.iter().map(|one| (one.full_name().to_owned(), plan(one, &names)));
        let parents = pool.all_messages().filter_map(|one| Some((table_of(&one)?, parent_of(&one)?)));
        Self { messages: plans.collect(), tables, parents: parents.collect() }
    }

    /// The table of the parent of a child's table, and the key of the field with the parent's id.
    pub(super) fn parent(&self, table: &str) -> Option<&(String, String)> {
        self.parents.get(table)
    }

    pub(super) fn of_message(&self, name: &str) -> Option<&PersonalPlan> {
        self.messages.get(name)
    }

    /// The plan of a table; `None` if its entities have no personal field.
    pub(super) fn of_table(&self, table: &str) -> Option<&PersonalPlan> {
        self.messages.get(self.tables.get(table)?)
    }
}

/// Whether a field is erased as a whole.
fn is_slot(field: &FieldDescriptor) -> bool {
    is_personal(field) || erasure_of(field).is_some_and(|rule| rule.decision.is_some())
}

fn plan(message: &MessageDescriptor, names: &BTreeSet<String>) -> PersonalPlan {
    let rule = erasure_in(message).unwrap_or_default();
    let key = |name: &str| message.get_field_by_name(name).map(|field| field.json_name().to_owned());
    let field = |field: FieldDescriptor| {
        let of_field = erasure_of(&field).unwrap_or_default();
        let sealed = sealed_of(&field).map(|sealed| sealed.subject).filter(|_| rule.subject.is_empty());
        let inner = match is_slot(&field) {
            true => None,
            false => Some(inner(&field)?.full_name().to_owned()).filter(|name| names.contains(name)),
        };
        (inner.is_some() || is_slot(&field)).then(|| PersonalField {
            json: field.json_name().to_owned(),
            subject: key(&of_field.subject).or_else(|| key(&sealed.unwrap_or_default())),
            decision: of_field.decision,
            is_secret: Sensitivity::of(&field) == Sensitivity::Secret,
            inner,
            is_map: field.is_map(),
        })
    };
    PersonalPlan {
        is_entity: table_of(message).is_some(),
        subject: key(&rule.subject),
        fields: message.fields().filter_map(field).collect(),
        decision: rule.decision,
        held: held_by(message),
    }
}
