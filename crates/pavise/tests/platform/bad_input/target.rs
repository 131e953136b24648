//! One REST path of a call, and where the fields of its request lie.

use pavise_contract::options::v1::Realm;
use pavise_contract::{Behavior, Binding, Method, Service};
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Value, json};

/// An id of nothing.
pub(crate) const NOBODY: &str = "01900000-0000-7000-8000-000000000001";

/// One REST path of a call.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) host: String,
    pub(crate) binding: Binding,
    pub(crate) input: MessageDescriptor,
    /// The call answers pages.
    pub(crate) lists: bool,
    /// Only programs make the call.
    pub(crate) for_programs: bool,
}

impl Target {
    pub(crate) fn new(service: &Service, method: &Method, binding: &Binding) -> Self {
        Self {
            host: format!("{}.localhost", service.host),
            binding: binding.clone(),
            input: method.descriptor.input(),
            lists: matches!(method.behavior, Behavior::List(_)),
            for_programs: method.access.realms().all(|realm| realm == Realm::Machine) && !method.access.public,
        }
    }

    pub(crate) fn verb(&self) -> http::Method {
        self.binding.verb.as_str().parse().unwrap()
    }

    /// The path with `value` for every variable.
    pub(crate) fn path(&self, value: &str) -> String {
        self.path_with(|_| value.to_owned())
    }

    pub(crate) fn path_with(&self, mut value: impl FnMut(&str) -> String) -> String {
        let mut path = String::new();
        let mut rest = self.binding.path.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap();
            path.push_str(before);
            path.push_str(&value(name.split('=').next().unwrap()));
            rest = after;
        }
        path + rest
    }

    pub(crate) fn has_variables(&self) -> bool {
        self.binding.path.contains('{')
    }

    fn in_path(&self, field: &FieldDescriptor) -> bool {
        let name = field.name();
        [format!("{{{name}}}"), format!("{{{name}="), format!("{{{name}.")]
            .iter()
            .any(|part| self.binding.path.contains(part))
    }

    /// The fields of the request that lie in the body.
    pub(crate) fn in_body(&self) -> Vec<FieldDescriptor> {
        match self.binding.body.as_str() {
            "" => Vec::new(),
            "*" => self.input.fields().filter(|field| !self.in_path(field)).collect(),
            name => self.input.get_field_by_name(name).into_iter().collect(),
        }
    }

    /// The fields of the request that may stand in the query: single values and lists of them.
    pub(crate) fn in_query(&self) -> Vec<FieldDescriptor> {
        if self.binding.body == "*" {
            return Vec::new();
        }
        let plain = |field: &FieldDescriptor| !matches!(field.kind(), Kind::Message(_)) || is_text(&field.kind());
        self.input
            .fields()
            .filter(|field| {
                field.name() != self.binding.body && !self.in_path(field) && !field.is_map() && plain(field)
            })
            .collect()
    }

    /// The places of all fields in the body, down to `depth` messages below the request's own fields.
    pub(crate) fn places(&self, depth: usize) -> Vec<Place> {
        let depth = if matches!(self.binding.body.as_str(), "" | "*") { depth } else { depth + 1 };
        let mut places = Vec::new();
        for field in self.in_body() {
            descend(vec![field], depth, &mut places);
        }
        places
    }

    /// A body in which nothing but this value stands, as the body's own rule wants it.
    pub(crate) fn body(&self, place: &Place, value: Value, element: bool) -> Value {
        let mut whole = place.request(value, element);
        match self.binding.body.as_str() {
            "*" => whole,
            _ => whole[place.0[0].json_name()].take(),
        }
    }
}

fn descend(steps: Vec<FieldDescriptor>, depth: usize, places: &mut Vec<Place>) {
    let last = steps.last().unwrap().clone();
    if depth > 0
        && !last.is_map()
        && let Kind::Message(message) = last.kind()
        && !is_special(&message)
    {
        for field in message.fields() {
            let mut deeper = steps.clone();
            deeper.push(field);
            descend(deeper, depth - 1, places);
        }
    }
    places.push(Place(steps));
}

/// Whether JSON writes the message otherwise than as an object of its fields.
pub(crate) fn is_special(message: &MessageDescriptor) -> bool {
    message.package_name() == "google.protobuf" || message.full_name() == "pavise.common.v1.Date"
}

/// Whether JSON writes it as text, though it is a message.
fn is_text(kind: &Kind) -> bool {
    kind.as_message().is_some_and(|message| {
        ["google.protobuf.Timestamp", "google.protobuf.Duration", "pavise.common.v1.Date"]
            .contains(&message.full_name())
    })
}

/// Where a field lies: the fields that lead to it, and itself.
#[derive(Debug, Clone)]
pub(crate) struct Place(pub(crate) Vec<FieldDescriptor>);

impl Place {
    pub(crate) fn field(&self) -> &FieldDescriptor {
        self.0.last().unwrap()
    }

    /// The request in which nothing but this value stands; `element` says that it is one of the field's list.
    fn request(&self, value: Value, element: bool) -> Value {
        let mut value = value;
        for (at, field) in self.0.iter().enumerate().rev() {
            let listed = field.is_list() && (element || at + 1 < self.0.len());
            value = if listed { json!({field.json_name(): [value]}) } else { json!({field.json_name(): value}) };
        }
        value
    }

    /// The field as a refusal names it.
    pub(crate) fn name(&self, element: bool) -> String {
        let mut name = String::new();
        for (at, field) in self.0.iter().enumerate() {
            if at > 0 {
                name.push('.');
            }
            name.push_str(field.json_name());
            if field.is_list() && (element || at + 1 < self.0.len()) {
                name.push_str("[0]");
            }
        }
        name
    }
}
