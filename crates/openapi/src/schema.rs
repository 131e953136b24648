//! The JSON schemas of messages, in the forms that the transcoder writes and reads.

pub(crate) mod scalar;
pub(crate) mod way;

use pavise_contract::options::v1::Mask;
use pavise_contract::{Sensitivity, audience_of, is_output_only, mask_of};
use prost_reflect::{EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

use crate::binding::realm;
use crate::component::{Components, reference};
use crate::example;
use crate::rule::Rules;
use scalar::is_demanded;
use way::{Way, fields, is_always_written, put};

impl Components<'_> {
    /// The schema of a message, by reference.
    pub(crate) fn message(&mut self, message: &MessageDescriptor, way: Way) -> Value {
        let name = self.names.get(message.full_name());
        // The name of a request message says already that only callers send it.
        let name = if way == Way::Answer || name.ends_with("Request") { name } else { format!("{name}Input") };
        if !self.schemas.contains_key(&name) {
            // Reserved before it is made, for messages that contain themselves.
            self.schemas.insert(name.clone(), Value::Null);
            let made = self::message(self, message, way, &[]);
            self.schemas.insert(name.clone(), made);
        }
        reference("schemas", &name)
    }

    /// The schema of a request as a body, without the fields in the path.
    pub(crate) fn body(&mut self, message: &MessageDescriptor, without: Vec<String>) -> Value {
        let key = (message.full_name().to_owned(), without);
        if let Some(name) = self.bodies.get(&key) {
            return reference("schemas", name);
        }
        let plain = self.names.get(message.full_name());
        let name = if self.schemas.contains_key(&plain) { self.free(&format!("{plain}Body")) } else { plain };
        let without: Vec<&str> = key.1.iter().map(String::as_str).collect();
        self.schemas.insert(name.clone(), Value::Null);
        let made = self::message(self, message, Way::Body, &without);
        self.schemas.insert(name.clone(), made);
        self.bodies.insert(key, name.clone());
        reference("schemas", &name)
    }

    /// The schema of an enumeration's spellings, by reference.
    pub(crate) fn enumeration(&mut self, descriptor: &EnumDescriptor) -> Value {
        let name = self.names.get(descriptor.full_name());
        if !self.schemas.contains_key(&name) {
            let made = enumeration(self, descriptor);
            self.schemas.insert(name.clone(), made);
        }
        reference("schemas", &name)
    }

    /// The schema of any JSON that a caller may send.
    pub(crate) fn anything(&mut self) -> Value {
        let name = "JsonValue";
        self.schemas.entry(name.to_owned()).or_insert_with(anything);
        reference("schemas", name)
    }
}

/// The schema of a field, with whether it is required.
pub(crate) struct Fielded {
    pub(crate) schema: Value,
    pub(crate) required: bool,
}

/// The object of a message, without the fields that stand elsewhere.
pub(crate) fn message(
    components: &mut Components<'_>,
    message: &MessageDescriptor,
    way: Way,
    without: &[&str],
) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in fields(message, way).filter(|field| !without.contains(&field.name())) {
        let made = self::field(components, &field, way);
        if made.required {
            required.push(json!(field.json_name()));
        }
        properties.insert(field.json_name().to_owned(), made.schema);
    }
    let mut schema = Map::from_iter([("type".to_owned(), json!("object"))]);
    let description = components.comments.of(&message.parent_file(), message.path());
    if !description.is_empty() {
        schema.insert("description".to_owned(), json!(description));
    }
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), Value::Array(required));
    }
    if way != Way::Answer {
        schema.insert("additionalProperties".to_owned(), json!(false));
        let choices: Vec<Value> =
            message.oneofs().filter(|one| !one.is_synthetic()).filter_map(|one| choice(&one)).collect();
        if !choices.is_empty() {
            schema.insert("allOf".to_owned(), Value::Array(choices));
        }
    }
    schema.insert("examples".to_owned(), json!([example::message(message, way, without)]));
    Value::Object(schema)
}

/// At most one field of a choice is present.
fn choice(oneof: &prost_reflect::OneofDescriptor) -> Option<Value> {
    let names: Vec<String> = oneof.fields().map(|field| field.json_name().to_owned()).collect();
    let mut pairs = Vec::new();
    for (at, one) in names.iter().enumerate() {
        for other in names.iter().skip(at + 1) {
            pairs.push(json!({
                "required": [one, other],
                "properties": {one.as_str(): {"not": {"type": "null"}}, other.as_str(): {"not": {"type": "null"}}},
            }));
        }
    }
    (!pairs.is_empty()).then(|| json!({"not": {"anyOf": pairs}}))
}

/// The schema of a field, described.
pub(crate) fn field(components: &mut Components<'_>, field: &FieldDescriptor, way: Way) -> Fielded {
    let rules = Rules::of(field);
    let required = match way {
        Way::Answer => is_always_written(field),
        Way::Body | Way::Text => is_demanded(field, &rules),
    };
    let mut schema = if field.is_map() {
        map(components, field, &rules, way)
    } else if field.is_list() {
        list(components, field, &rules, way)
    } else {
        value(components, &field.kind(), &rules, required, way)
    };
    if way == Way::Body && !required {
        schema = nullable(schema);
    }
    if let Value::Object(schema) = &mut schema {
        let description = components.comments.of(&field.parent_message().parent_file(), field.path());
        if !description.is_empty() {
            schema.insert("description".to_owned(), json!(description));
        }
        let audience: Vec<&str> = audience_of(field).into_iter().map(realm).collect();
        if way == Way::Answer && !audience.is_empty() {
            schema.insert("x-audience".to_owned(), json!(audience));
        }
        // A masked day has no month and no day.
        if way == Way::Answer && mask_of(field).is_some_and(|(mask, _)| mask == Mask::Year) {
            schema.remove("format");
            schema.insert("pattern".to_owned(), json!("^[0-9]{4}-[0-9]{2}-[0-9]{2}$"));
        }
        if way == Way::Body && is_output_only(field) {
            schema.insert("readOnly".to_owned(), json!(true));
        }
        if way == Way::Body && Sensitivity::of(field) == Sensitivity::Secret {
            schema.insert("writeOnly".to_owned(), json!(true));
        }
    }
    Fielded { schema, required }
}

fn list(components: &mut Components<'_>, field: &FieldDescriptor, rules: &Rules, way: Way) -> Value {
    let items = value(components, &field.kind(), &rules.items(), false, way);
    let mut schema = Map::from_iter([("type".to_owned(), json!("array")), ("items".to_owned(), items)]);
    if way != Way::Answer {
        let rules_of_list = rules.kind("repeated");
        let least = rules_of_list.integer("min_items").or_else(|| rules.required().then_some(1));
        put(&mut schema, "minItems", least);
        put(&mut schema, "maxItems", rules_of_list.integer("max_items"));
        if rules_of_list.is("unique") {
            schema.insert("uniqueItems".to_owned(), json!(true));
        }
    }
    Value::Object(schema)
}

fn map(components: &mut Components<'_>, field: &FieldDescriptor, rules: &Rules, way: Way) -> Value {
    let Kind::Message(entry) = field.kind() else { return json!({"type": "object"}) };
    let rules = rules.kind("map");
    let inner = value(components, &entry.map_entry_value_field().kind(), &rules.kind("values"), false, way);
    let mut schema = Map::from_iter([("type".to_owned(), json!("object")), ("additionalProperties".to_owned(), inner)]);
    if way != Way::Answer {
        let keys = scalar::key(&entry.map_entry_key_field().kind(), &rules.kind("keys"));
        schema.insert("propertyNames".to_owned(), keys);
        put(&mut schema, "minProperties", rules.integer("min_pairs"));
        put(&mut schema, "maxProperties", rules.integer("max_pairs"));
    }
    Value::Object(schema)
}

/// The schema of one value.
fn value(components: &mut Components<'_>, kind: &Kind, rules: &Rules, required: bool, way: Way) -> Value {
    match kind {
        Kind::Message(message) => match special(components, message, way) {
            Some(schema) => schema,
            None => components.message(message, way),
        },
        Kind::Enum(descriptor) => scalar::enumeration(components, descriptor, rules, required, way),
        _ => scalar::schema(kind, rules, required, way),
    }
}

/// The schema of a message that JSON does not write as an object of its fields.
fn special(components: &mut Components<'_>, message: &MessageDescriptor, way: Way) -> Option<Value> {
    let wrapped = || {
        let inner = message.get_field(1).map(|field| field.kind());
        inner.map_or_else(|| json!({}), |kind| scalar::schema(&kind, &Rules::default(), false, way))
    };
    Some(match message.full_name() {
        "google.protobuf.Timestamp" => scalar::time(),
        "pavise.common.v1.Date" => scalar::date(),
        "google.protobuf.Duration" => {
            json!({"type": "string", "pattern": r"^-?[0-9]{1,11}(\.[0-9]{1,9})?s$", "description": "Seconds, such as 3.5s."})
        }
        "google.protobuf.FieldMask" => {
            json!({"type": "string", "pattern": "^([A-Za-z][A-Za-z0-9.]*(,[A-Za-z][A-Za-z0-9.]*)*)?$"})
        }
        "google.protobuf.Struct" if way == Way::Answer => json!({"type": "object"}),
        "google.protobuf.Struct" => {
            let inner = components.anything();
            json!({"type": "object", "additionalProperties": inner, "propertyNames": {"pattern": scalar::NO_NUL}})
        }
        "google.protobuf.ListValue" => {
            let items = components.anything();
            json!({"type": "array", "items": items})
        }
        "google.protobuf.Value" => components.anything(),
        "google.protobuf.Any" => json!({
            "type": "object",
            "properties": {"@type": {"type": "string", "description": "The message's type."}},
            "description": "A message of the type that it names, with that message's fields.",
        }),
        "google.protobuf.DoubleValue"
        | "google.protobuf.FloatValue"
        | "google.protobuf.Int64Value"
        | "google.protobuf.UInt64Value"
        | "google.protobuf.Int32Value"
        | "google.protobuf.UInt32Value"
        | "google.protobuf.BoolValue"
        | "google.protobuf.StringValue"
        | "google.protobuf.BytesValue" => wrapped(),
        _ => return None,
    })
}

/// The spellings of an enumeration, with their meanings.
pub(crate) fn enumeration(components: &Components<'_>, descriptor: &EnumDescriptor) -> Value {
    let mut lines = Vec::new();
    let about = components.comments.of(&descriptor.parent_file(), descriptor.path());
    if !about.is_empty() {
        lines.push(format!("{about}\n"));
    }
    let spelled = scalar::spellings(descriptor);
    for (spelling, value) in &spelled {
        let comment = components.comments.of(&descriptor.parent_file(), value.path());
        if !comment.is_empty() {
            lines.push(format!("- `{spelling}`: {comment}"));
        }
        for read in pavise_contract::spelling::also_read(value) {
            lines.push(format!("- `{read}` is read as `{spelling}`, and never answered."));
        }
    }
    let values: Vec<&String> = spelled.iter().map(|(spelling, _)| spelling).collect();
    json!({"type": "string", "enum": values, "description": lines.join("\n"), "examples": values.first().map(|one| vec![one])})
}

/// Any JSON whose texts every engine can store.
pub(crate) fn anything() -> Value {
    let own = json!({"$ref": "#/components/schemas/JsonValue"});
    json!({
        "description": "Any JSON.",
        "type": ["null", "boolean", "number", "string", "array", "object"],
        "pattern": scalar::NO_NUL,
        "items": own,
        "additionalProperties": own,
        "propertyNames": {"pattern": scalar::NO_NUL},
    })
}

/// The schema, or null.
fn nullable(mut schema: Value) -> Value {
    let null = json!("null");
    let Some(object) = schema.as_object_mut() else { return schema };
    if object.contains_key("$ref") {
        return json!({"anyOf": [schema, {"type": "null"}]});
    }
    if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
        choices.push(json!({"type": "null"}));
        return schema;
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.push(Value::Null);
    }
    match object.get_mut("type") {
        Some(Value::Array(types)) if !types.contains(&null) => types.push(null),
        Some(kind @ Value::String(_)) => *kind = Value::Array(vec![kind.take(), null]),
        _ => {}
    }
    schema
}
