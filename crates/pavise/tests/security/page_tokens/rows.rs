//! Rows of every aggregate that a list answers: of the caller, of somebody else in another scope, and of nobody.

use std::collections::BTreeMap;

use pavise_contract::{Aggregate, Contract, Method, Service};
use pavise_kernel::store::{Command, Outcome, StoredRow, Write, fold_value};
use pavise_kernel::table::{Lookup, Table};
use pavise_testapp::TestApp;
use pavise_transcode::{ToJson, Transcoder};
use prost_reflect::prost::Message as _;
use prost_reflect::{DynamicMessage, Kind, ReflectMessage as _, Value};

pub(super) const ME: &str = "01900000-0000-7000-8000-0000000000aa";
pub(super) const OTHER: &str = "01900000-0000-7000-8000-0000000000bb";
pub(super) const GROUP: &str = "01900000-0000-7000-8000-0000000000cc";
const ELSEWHERE: &str = "01900000-0000-7000-8000-0000000000dd";
/// The word in each text of the rows of others.
pub(super) const FOREIGN: &str = "foreign";
/// The fields that are set apart from the others.
const HEAD: [&str; 6] = ["id", "owner_id", "status", "version", "created_at", "updated_at"];
/// Rows of each kind.
const EACH: usize = 3;

/// The rows by the word in their texts.
pub(super) struct Rows(BTreeMap<&'static str, Vec<String>>);

impl Rows {
    /// Fills the tables of the entities that the lists answer.
    pub(super) async fn fill(app: &TestApp, contract: &Contract, lists: &[(&Service, &Method)]) -> Self {
        let mut found = Self(BTreeMap::new());
        let listed = |aggregate: &&Aggregate| {
            let name = aggregate.descriptor.full_name();
            let items = |method: &Method| {
                method
                    .output()
                    .fields()
                    .any(|field| field.kind().as_message().is_some_and(|item| item.full_name() == name))
            };
            lists.iter().any(|(_, method)| method.facts.entity == name || items(method))
        };
        for aggregate in contract.aggregates.values().filter(listed) {
            if aggregate.options.shared || aggregate.options.parent.is_some() {
                continue;
            }
            let tables = app.app.kernel.tables().iter().map(|entry| entry.table);
            let table = tables.into_iter().find(|table| table.message == aggregate.descriptor.full_name()).unwrap();
            for number in 0..EACH {
                found.add(app, table, aggregate, ("mine", ME, GROUP), number).await;
                found.add(app, table, aggregate, (FOREIGN, OTHER, ELSEWHERE), number).await;
                if table.unowned.is_some() {
                    found.add(app, table, aggregate, (FOREIGN, "", GROUP), number + EACH).await;
                }
            }
        }
        found
    }

    async fn add(
        &mut self,
        app: &TestApp,
        table: &'static Table,
        aggregate: &Aggregate,
        (word, owner, scope): (&'static str, &str, &str),
        number: usize,
    ) {
        let ids = pavise_kernel::time::Ids::random();
        let id = if owner.is_empty() { ids.secret_id(app.now()) } else { app.id() };
        let mut entity = DynamicMessage::new(aggregate.descriptor.clone());
        fill(&mut entity, &format!("mark{word}{number}"), 2);
        for name in HEAD {
            entity.clear_field_by_name(name);
        }
        for (_, lookup) in table.scopes {
            set(&mut entity, lookup, scope);
        }
        entity.set_field_by_name("id", Value::String(id.clone()));
        entity.set_field_by_name("owner_id", Value::String(owner.to_owned()));
        entity.set_field_by_name("version", Value::I64(1));
        let status = aggregate.descriptor.get_field_by_name("status").unwrap().kind().as_enum().cloned().unwrap();
        let spelled = |value: &prost_reflect::EnumValueDescriptor| {
            pavise_contract::spelling::of(value).as_deref() == Some(table.initial)
        };
        let initial = status.values().find(spelled).unwrap().number();
        entity.set_field_by_name("status", Value::EnumNumber(initial));
        let lookups = table.lookups.iter().filter(|lookup| lookup.many);
        let lookups = lookups.flat_map(|lookup| values(&entity, lookup).into_iter().map(move |value| (lookup, value)));
        let mut doc = Vec::new();
        let schema = Transcoder::new(&app.app.pool).schema(table.message).unwrap();
        schema.to_json(&entity.encode_to_vec(), ToJson { defaults: false, secrets: true }, &mut doc).unwrap();
        let row = StoredRow {
            id: id.clone(),
            owner_id: owner.to_owned(),
            status: table.initial.to_owned(),
            version: 1,
            clock: 0,
            created_at: app.now(),
            updated_at: app.now(),
            doc: String::from_utf8(doc).unwrap(),
        };
        let lookups = lookups.collect();
        let write = Write { table, row, expected: None, removed: false, action: "CREATED".into(), lookups };
        let command = Command {
            journal: table.journal,
            writes: vec![write],
            at: app.now(),
            actor: "test".into(),
            ..Command::default()
        };
        let outcome = app.app.kernel.store().commit(&[command]).await.unwrap();
        assert!(matches!(outcome[..], [Outcome::Committed(_)]), "{}: {outcome:?}", table.name);
        self.0.entry(word).or_default().push(id);
    }

    pub(super) fn count(&self, word: &str) -> usize {
        self.0.get(word).map_or(0, Vec::len)
    }

    /// The id or the word of a row of others in some bytes.
    pub(super) fn foreign_in(&self, bytes: &[u8]) -> Option<&str> {
        let ids = self.0.get(FOREIGN).into_iter().flatten().map(String::as_str);
        ids.chain([FOREIGN]).find(|text| contains(bytes, text))
    }

    /// Whether some bytes have the id or a text of any row.
    pub(super) fn any_in(&self, bytes: &[u8]) -> bool {
        let ids = self.0.values().flatten().map(String::as_str);
        ids.chain(["mark", ME, OTHER]).any(|text| contains(bytes, text))
    }
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|part| part == text.as_bytes())
}

/// Sets each text of a message, and of the messages in it.
fn fill(message: &mut DynamicMessage, text: &str, depth: u32) {
    let fields: Vec<_> = message.descriptor().fields().collect();
    for field in fields.into_iter().filter(|field| !field.is_map() && field.containing_oneof().is_none()) {
        let value = match field.kind() {
            Kind::String => Value::String(text.to_owned()),
            Kind::Message(inner) if depth > 0 && is_plain(inner.full_name()) => {
                let mut inner = DynamicMessage::new(inner);
                fill(&mut inner, text, depth - 1);
                Value::Message(inner)
            }
            _ => continue,
        };
        message.set_field(&field, if field.is_list() { Value::List(vec![value]) } else { value });
    }
}

/// Whether a message of ours has texts of its own.
fn is_plain(name: &str) -> bool {
    name.starts_with("pavise.") && !["Date", "Money"].iter().any(|kind| name.ends_with(kind))
}

/// Sets the text, or the list of texts, with that name.
fn set(entity: &mut DynamicMessage, name: &str, text: &str) {
    let field = entity.descriptor().get_field_by_name(name).unwrap();
    let value = Value::String(text.to_owned());
    entity.set_field(&field, if field.is_list() { Value::List(vec![value]) } else { value });
}

/// The values of a lookup.
fn values(entity: &DynamicMessage, lookup: &'static Lookup) -> Vec<String> {
    fn walk(value: &Value, path: &[&str], found: &mut Vec<String>) {
        match (value, path) {
            (Value::List(items), _) => items.iter().for_each(|item| walk(item, path, found)),
            (Value::Message(inner), [first, rest @ ..]) => {
                if let Some(inner) = inner.get_field_by_name(first) {
                    walk(&inner, rest, found);
                }
            }
            (Value::String(text), []) if !text.is_empty() => found.push(text.clone()),
            _ => {}
        }
    }
    let path: Vec<&str> = lookup.name.split('.').collect();
    let mut found = Vec::new();
    walk(&Value::Message(entity.clone()), &path, &mut found);
    found.into_iter().map(|value| fold_value(lookup, &value).into_owned()).collect()
}
