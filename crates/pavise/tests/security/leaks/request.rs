//! Random requests that are plausible: ids and values that exist, the caller's own and others'.

use std::collections::{BTreeMap, BTreeSet};

use pavise_contract::Method;
use pavise_kernel::Caller;
use pavise_testkit::chance::SeededRandom;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MapKey, Value};

use super::knowledge::Knowledge;

/// How deep messages within messages are filled.
const DEPTH: u32 = 3;
/// The tokens that are kept.
const TOKENS: usize = 200;

/// Makes requests, and keeps the tokens of answers.
pub(crate) struct Requests {
    /// The ids by table.
    ids: BTreeMap<&'static str, Vec<String>>,
    every: Vec<String>,
    /// Addresses, numbers and names that exist.
    values: Vec<String>,
    tokens: Vec<String>,
}

impl Requests {
    pub(crate) fn of(known: &Knowledge) -> Self {
        let mut ids: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        let mut values = BTreeSet::new();
        for (table, entity) in known.ids() {
            ids.entry(table).or_default().push(entity.id.clone());
            values.extend(entity.values());
        }
        let every = ids.values().flatten().cloned().collect();
        Self { ids, every, values: values.into_iter().collect(), tokens: Vec::new() }
    }

    /// Keeps what may be a page token.
    pub(crate) fn learn(&mut self, tokens: &[String]) {
        for token in tokens {
            if self.tokens.len() < TOKENS {
                self.tokens.push(token.clone());
            } else if let Some(place) = self.tokens.first_mut() {
                place.clone_from(token);
                self.tokens.rotate_left(1);
            }
        }
    }

    /// A request of the call.
    pub(crate) fn make(
        &self,
        method: &Method,
        caller: &Caller,
        known: &Knowledge,
        chance: &mut SeededRandom,
    ) -> DynamicMessage {
        let mut message = DynamicMessage::new(method.descriptor.input());
        for field in method.descriptor.input().fields() {
            let owner = field.name() == method.access.owner;
            let group = method.access.scopes.iter().any(|scope| scope.field == field.name());
            let own = if owner {
                Some(caller.identity.clone())
            } else if group {
                caller.scopes.iter().next().map(|scope| scope.id.clone())
            } else {
                None
            };
            match own.filter(|own| !own.is_empty() && chance.is_in_percent(70)) {
                Some(own) if !field.is_list() && matches!(field.kind(), Kind::String) => {
                    message.set_field(&field, Value::String(own));
                }
                _ => self.fill(&mut message, &field, (caller, known), DEPTH, chance),
            }
        }
        message
    }

    fn fill(
        &self,
        message: &mut DynamicMessage,
        field: &FieldDescriptor,
        of: (&Caller, &Knowledge),
        depth: u32,
        chance: &mut SeededRandom,
    ) {
        let needed = field.name().ends_with("id") || field.name().ends_with("ids");
        if field.name() == "wait" || !chance.is_in_percent(if needed { 92 } else { 35 }) {
            return;
        }
        if field.is_map() {
            let entries = [(MapKey::String("pavise".to_owned()), Value::String("one".to_owned()))];
            if let Kind::Message(entry) = field.kind()
                && matches!(entry.map_entry_value_field().kind(), Kind::String)
            {
                message.set_field(field, Value::Map(entries.into_iter().collect()));
            }
            return;
        }
        let one = |chance: &mut SeededRandom| self.value(field, of, depth, chance);
        if field.is_list() {
            let items: Vec<Value> = (0..=chance.next_below(2)).filter_map(|_| one(chance)).collect();
            message.set_field(field, Value::List(items));
        } else if let Some(value) = one(chance) {
            message.set_field(field, value);
        }
    }

    fn value(
        &self,
        field: &FieldDescriptor,
        of: (&Caller, &Knowledge),
        depth: u32,
        chance: &mut SeededRandom,
    ) -> Option<Value> {
        let small = i32::try_from(chance.next_below(40)).ok()?;
        Some(match field.kind() {
            Kind::String => Value::String(self.text(field.name(), of, chance)),
            Kind::Bool => Value::Bool(chance.is_in_percent(50)),
            Kind::Enum(kind) => {
                let values: Vec<i32> = kind.values().map(|value| value.number()).collect();
                Value::EnumNumber(*chance.pick_one(&values))
            }
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
                Value::I32(if field.name() == "page_size" { small % 4 } else { small })
            }
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(i64::from(small)),
            Kind::Uint32 | Kind::Fixed32 => Value::U32(small.unsigned_abs()),
            Kind::Uint64 | Kind::Fixed64 => Value::U64(u64::from(small.unsigned_abs())),
            Kind::Message(inner) if depth > 0 => {
                let mut message = DynamicMessage::new(inner.clone());
                for field in inner.fields() {
                    self.fill(&mut message, &field, of, depth - 1, chance);
                }
                Value::Message(message)
            }
            Kind::Message(_) | Kind::Bytes | Kind::Double | Kind::Float => return None,
        })
    }

    /// A text for a field of that name.
    fn text(&self, name: &str, (caller, known): (&Caller, &Knowledge), chance: &mut SeededRandom) -> String {
        if name == "page_token" {
            let known = !self.tokens.is_empty() && chance.is_in_percent(60);
            return if known { chance.pick_one(&self.tokens).clone() } else { String::new() };
        }
        let stem = name.trim_end_matches('s').trim_end_matches("_id");
        let is_id = name == "id" || name == "ids" || name.ends_with("_id") || name.ends_with("_ids");
        if is_id && matches!(stem, "identity" | "user" | "owner" | "new_owner") && chance.is_in_percent(40) {
            return caller.identity.clone();
        }
        if is_id
            && chance.is_in_percent(45)
            && let Some(own) = known.own_id(caller, stem, chance)
        {
            return own;
        }
        let of_table = self.ids.iter().filter(|(table, _)| table.trim_end_matches('s').ends_with(stem));
        let of_table: Vec<&String> = of_table.flat_map(|(_, ids)| ids).collect();
        match is_id {
            true if !of_table.is_empty() && chance.is_in_percent(85) => (*chance.pick_one(&of_table)).clone(),
            true => chance.pick_one(&self.every).clone(),
            false if chance.is_in_percent(80) => chance.pick_one(&self.values).clone(),
            false => "a text".to_owned(),
        }
    }
}
