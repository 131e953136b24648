//! The oracle: the rows of all tables, and the plain rule of who may know of each.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use pavise::journal::journals;
use pavise_contract::{Contract, Sensitivity};
use pavise_kernel::caller::Realm;
use pavise_kernel::table::ScopeKind;
use pavise_kernel::{Caller, TableEntry};
use pavise_testapp::TestApp;
use pavise_testkit::chance::SeededRandom;
use prost_reflect::MessageDescriptor;
use serde_json::Value;

use super::answer::words;

/// Words in the rows of so many owners identify none of them.
const COMMON: usize = 3;

/// An entity as the oracle knows it.
#[derive(Debug, Clone)]
pub(crate) struct Entity {
    pub(crate) table: &'static str,
    pub(crate) id: String,
    pub(crate) owner: String,
    /// The parent's id; empty for an entity that is no child.
    parent: String,
    /// The ids of its groups, branches and so on.
    scopes: Vec<(ScopeKind, String)>,
    /// Shared, and in a status that everybody may see.
    open: bool,
    words: BTreeSet<String>,
    /// The realm of an identity; else empty.
    realm: String,
    /// The values of its lookups, as a caller would search them.
    values: Vec<String>,
}

impl Entity {
    /// The owner, or the entity itself if it has none.
    fn belongs_to(&self) -> &str {
        if self.owner.is_empty() { &self.id } else { &self.owner }
    }

    /// The values by which it is found.
    pub(crate) fn values(&self) -> impl Iterator<Item = String> + '_ {
        self.values.iter().cloned()
    }
}

/// The table and the id of an entity.
type Key = (&'static str, String);

/// All entities.
pub(crate) struct Knowledge {
    entities: BTreeMap<Key, Entity>,
    /// The entities that have a word, or had it.
    holders: HashMap<String, BTreeSet<Key>>,
    /// The words that identify somebody, wherever they are.
    telling: BTreeSet<String>,
    /// Words that identify nobody: names in the contract, and the catalog's.
    vocabulary: BTreeSet<String>,
    tables: Vec<Shape>,
    heads: BTreeMap<&'static str, i64>,
}

/// A table as the oracle knows it.
#[derive(Debug, Clone)]
struct Shape {
    entry: &'static TableEntry,
    message: MessageDescriptor,
    /// The field with the parent's id; empty for none.
    parent: String,
}

impl Knowledge {
    pub(crate) async fn read(app: &TestApp, contract: &Contract) -> Self {
        let tables = app.app.kernel.tables().iter().map(|entry| {
            let aggregate = &contract.aggregates[entry.table.message];
            let parent = aggregate.options.parent.as_ref();
            let parent = parent.and_then(|parent| aggregate.descriptor.get_field_by_name(&parent.field));
            let parent = parent.map(|field| field.json_name().to_owned()).unwrap_or_default();
            Shape { entry, message: aggregate.descriptor.clone(), parent }
        });
        let mut known = Self {
            entities: BTreeMap::new(),
            holders: HashMap::new(),
            telling: BTreeSet::new(),
            vocabulary: vocabulary(contract),
            tables: tables.collect(),
            heads: BTreeMap::new(),
        };
        // The catalog comes first: its words identify nobody.
        known.tables.sort_by_key(|shape| !shape.entry.table.shared);
        for journal in journals() {
            known.heads.insert(journal, app.app.kernel.store().head(journal).await.unwrap().clock);
        }
        for shape in known.tables.clone() {
            let mut after = String::new();
            loop {
                let page = app.app.kernel.store().scan(shape.entry.table, &after, 1000).await.unwrap();
                let Some(last) = page.last() else { break };
                after.clone_from(&last.id);
                for row in &page {
                    known.learn(&shape, &row.id, &row.owner_id, &row.doc);
                }
            }
        }
        known
    }

    fn learn(&mut self, shape: &Shape, id: &str, owner: &str, doc: &str) {
        let table = shape.entry.table;
        let doc: Value = serde_json::from_str(doc).unwrap();
        let scopes = table.scopes.iter().flat_map(|(kind, lookup)| {
            let json = table.lookup(lookup).map_or("", |lookup| lookup.json);
            texts(&doc[json]).into_iter().map(|id| (*kind, id))
        });
        let status = doc["status"].as_str().unwrap_or_default();
        let open = table.shared
            && (table.visible.is_empty() || table.visible.iter().any(|rule| rule.statuses.contains(&status)));
        let (mut found, mut telling) = (BTreeSet::new(), BTreeSet::new());
        gather(&doc, &shape.message, &mut found, &mut telling);
        if table.shared {
            self.vocabulary.extend(telling.iter().cloned());
        }
        telling.retain(|word| !self.vocabulary.contains(word));
        self.telling.extend(telling);
        for word in &found {
            self.holders.entry(word.clone()).or_default().insert((table.name, id.to_owned()));
        }
        let entity = Entity {
            table: table.name,
            id: id.to_owned(),
            owner: owner.to_owned(),
            parent: doc[shape.parent.as_str()].as_str().unwrap_or_default().to_owned(),
            scopes: scopes.collect(),
            open,
            words: found,
            realm: doc["realm"].as_str().unwrap_or_default().to_owned(),
            values: table.lookups.iter().flat_map(|lookup| at(&doc, lookup.name)).collect(),
        };
        self.entities.insert((table.name, id.to_owned()), entity);
    }

    /// The members with the most entities, first.
    pub(crate) fn owners(&self) -> Vec<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for entity in self.entities.values().filter(|entity| !entity.owner.is_empty() && entity.realm != "Internal") {
            *counts.entry(&entity.owner).or_default() += 1;
        }
        let mut owners: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 4).collect();
        owners.sort_by_key(|(owner, count)| (std::cmp::Reverse(*count), *owner));
        owners.into_iter().map(|(owner, _)| owner.to_owned()).collect()
    }

    /// An identity of that realm.
    pub(crate) fn identity_of_realm(&self, realm: &str) -> Option<String> {
        let mut identities = self.entities.values().filter(|entity| entity.table == "identities");
        identities.find(|entity| entity.realm == realm).map(|entity| entity.id.clone())
    }

    /// The id of one of the caller's own entities, of a table whose name ends so if there is one.
    pub(crate) fn own_id(&self, caller: &Caller, stem: &str, chance: &mut SeededRandom) -> Option<String> {
        let own: Vec<&Entity> = self
            .entities
            .values()
            .filter(|entity| entity.owner == caller.identity && entity.table.trim_end_matches('s').ends_with(stem))
            .collect();
        (!own.is_empty()).then(|| chance.pick_one(&own).id.clone())
    }

    /// The entities, with their tables.
    pub(crate) fn ids(&self) -> impl Iterator<Item = (&'static str, &Entity)> {
        self.entities.iter().map(|((table, _), entity)| (*table, entity))
    }

    /// Whether the caller may know of an entity: the rule of the platform in one place, without its access rules.
    fn is_theirs(&self, caller: &Caller, named: &BTreeSet<String>, entity: &Entity) -> bool {
        if entity.open {
            return true;
        }
        if !entity.parent.is_empty() {
            let mut parents = self.entities.values().filter(|other| other.id == entity.parent);
            return parents.any(|parent| self.is_theirs(caller, named, parent));
        }
        let is_in_scope = || {
            caller.scopes.iter().any(|own| entity.scopes.iter().any(|(kind, id)| *kind == own.kind && *id == own.id))
        };
        // An employee is a record of the employer, also before an identity is known.
        if entity.table == "employees" && is_in_scope() {
            return true;
        }
        if entity.owner.is_empty() {
            // An entity without an owner belongs to those who know its id.
            return named.contains(&entity.id.to_lowercase());
        }
        // A visitor's answer has the fresh id that the visitor made up. No identity has it.
        let is_identity = || self.entities.values().any(|one| one.table == "identities" && one.id == entity.owner);
        if entity.table == "answers" && named.contains(&entity.owner.to_lowercase()) && !is_identity() {
            return true;
        }
        if entity.owner == caller.identity || (entity.table == "identities" && entity.id == caller.identity) {
            return true;
        }
        // An entity that names the caller, such as a plan that covers them, is known to them.
        if caller.realm == Realm::User && entity.words.contains(&caller.identity.to_lowercase()) {
            return true;
        }
        is_in_scope()
    }

    /// How many entities of a kind the caller may know of. Removed ones count too.
    pub(crate) fn count_theirs(&self, caller: &Caller, named: &BTreeSet<String>, kind: &str) -> usize {
        self.of_kind(kind).filter(|entity| self.is_theirs(caller, named, entity)).count()
    }

    /// How many entities of a kind an identity has.
    pub(crate) fn count_owned(&self, owner: &str, kind: &str) -> usize {
        self.of_kind(kind).filter(|entity| entity.owner == owner).count()
    }

    /// The entities with that message.
    fn of_kind(&self, kind: &str) -> impl Iterator<Item = &Entity> {
        let shape = self.tables.iter().find(|shape| shape.message.full_name() == kind);
        let table = shape.unwrap().entry.table.name;
        self.entities.values().filter(move |entity| entity.table == table)
    }

    /// The words of an answer that identify others' entities, with such an entity. The request's own words do not count.
    pub(crate) fn foreign_texts(
        &self,
        caller: &Caller,
        named: &BTreeSet<String>,
        texts: &BTreeSet<String>,
    ) -> Vec<(String, String)> {
        let told = texts.iter().filter(|word| !named.contains(*word) && **word != caller.identity.to_lowercase());
        let mut foreign = Vec::new();
        for word in told {
            let Some(holders) = self.holders.get(word).filter(|_| self.telling.contains(word)) else { continue };
            let holders: Vec<&Entity> = holders.iter().filter_map(|key| self.entities.get(key)).collect();
            let owners: BTreeSet<&str> = holders.iter().map(|entity| entity.belongs_to()).collect();
            if owners.len() < COMMON && !holders.iter().any(|entity| self.is_theirs(caller, named, entity)) {
                let place = holders.first().map(|entity| format!("{} {}", entity.table, entity.id));
                foreign.push((word.clone(), place.unwrap_or_default()));
            }
        }
        foreign
    }

    /// The caller's changes since the last time, as (table, id), with the entity as it was before, and everybody's
    /// changes learnt.
    pub(crate) async fn follow(&mut self, app: &TestApp, caller: &Caller) -> Vec<(&'static str, Option<Entity>)> {
        let mut changed = Vec::new();
        for journal in journals() {
            loop {
                let after = self.heads.get(journal).copied().unwrap_or_default();
                let (entries, _) = app.app.kernel.store().journal(journal, "", after, 500).await.unwrap();
                let Some(last) = entries.last() else { break };
                self.heads.insert(journal, last.clock);
                for entry in &entries {
                    let Some(shape) = self.tables.iter().find(|shape| shape.entry.table.name == entry.table).cloned()
                    else {
                        continue;
                    };
                    let before = self.entities.get(&(shape.entry.table.name, entry.entity_id.clone())).cloned();
                    if entry.actor == caller.actor_identity() {
                        changed.push((shape.entry.table.name, before));
                    }
                    self.learn(&shape, &entry.entity_id, &entry.owner_id, &entry.doc);
                }
            }
        }
        changed
    }

    /// The changed entities that were not the caller's before.
    pub(crate) fn foreign_changes(
        &self,
        caller: &Caller,
        named: &BTreeSet<String>,
        changes: &[(&'static str, Option<Entity>)],
    ) -> Vec<String> {
        let known = changes.iter().filter_map(|(_, before)| before.as_ref());
        let foreign = known.filter(|entity| !self.is_theirs(caller, named, entity));
        foreign.map(|entity| format!("{} {} of {:?}", entity.table, entity.id, entity.owner)).collect()
    }
}

/// The words of every spelling in the contract.
fn vocabulary(contract: &Contract) -> BTreeSet<String> {
    let pool = contract.aggregates.values().next().map(|aggregate| aggregate.descriptor.parent_pool().clone());
    let mut known = BTreeSet::new();
    for value in pool.iter().flat_map(|pool| pool.all_enums().flat_map(|one| one.values().collect::<Vec<_>>())) {
        known.extend(words(value.name()));
        known.extend(pavise_contract::spelling::of(&value).iter().flat_map(|spelling| words(spelling)));
    }
    known
}

/// The texts at a path of proto names.
fn at(doc: &Value, path: &str) -> Vec<String> {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    match doc {
        Value::Array(items) => items.iter().flat_map(|item| at(item, path)).collect(),
        _ if name.is_empty() => texts(doc),
        Value::Object(fields) => {
            let found = fields.iter().find(|(json, _)| snake(json) == name).map(|(_, value)| value);
            found.map(|value| at(value, rest)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// A JSON name as the proto's: `siteName` is `site_name`.
fn snake(json: &str) -> String {
    let letters = json.chars().flat_map(|letter| {
        let upper = letter.is_ascii_uppercase().then_some('_');
        upper.into_iter().chain([letter.to_ascii_lowercase()])
    });
    letters.collect()
}

/// The texts of a value: itself, or its items.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) if !text.is_empty() => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// Gathers the words of a document, and those that identify somebody: names in personal fields, and ids, addresses and
/// numbers in all fields.
fn gather(value: &Value, message: &MessageDescriptor, found: &mut BTreeSet<String>, telling: &mut BTreeSet<String>) {
    let Value::Object(fields) = value else { return };
    for (json, value) in fields {
        let Some(field) = message.get_field_by_json_name(json) else { continue };
        let personal = Sensitivity::of(&field) != Sensitivity::Open;
        match field.kind().as_message() {
            Some(inner) if !field.is_map() => {
                each(value).into_iter().for_each(|item| gather(item, inner, found, telling));
            }
            _ => {
                for text in texts(value).iter().filter(|text| !is_time(text)) {
                    found.extend(words(text));
                    telling.extend(words(text).filter(|word| is_identifier(word)));
                    if personal {
                        telling.extend(names(text).flat_map(|name| words(name).collect::<Vec<_>>()));
                    }
                }
            }
        }
    }
}

/// The items of a list, or the value itself.
fn each(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        other => vec![other],
    }
}

/// Whether a word is no word of a language.
fn is_identifier(word: &str) -> bool {
    word.contains('@') || word.bytes().any(|byte| byte.is_ascii_digit())
}

/// The names in a personal text: words with a capital, unless the text is a sentence.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_sentence = text.split_whitespace().count() > 4;
    text.split_whitespace().filter(move |word| !is_sentence && word.starts_with(char::is_uppercase))
}

/// Whether a text is a day or a time.
fn is_time(text: &str) -> bool {
    let day = text.bytes().take(10);
    text.len() >= 10
        && day.enumerate().all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() })
}
