//! Rewrites prost-reflect's JSON to the transcoder's form.

use prost_reflect::{DescriptorPool, EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value as Json};

/// Rewrites all differences: dates, spellings, unspecified enumeration values, floats, secrets.
pub(super) fn expected(pool: &DescriptorPool, descriptor: &MessageDescriptor, json: Json, secrets: bool) -> Json {
    Rewrite { pool, secrets, only_dates: false }.message(descriptor, json)
}

/// Rewrites the dates only; the transcoder must still read such JSON.
pub(super) fn dates(pool: &DescriptorPool, descriptor: &MessageDescriptor, json: Json) -> Json {
    Rewrite { pool, secrets: true, only_dates: true }.message(descriptor, json)
}

struct Rewrite<'p> {
    pool: &'p DescriptorPool,
    secrets: bool,
    only_dates: bool,
}

impl Rewrite<'_> {
    fn message(&self, descriptor: &MessageDescriptor, json: Json) -> Json {
        match (descriptor.full_name(), json) {
            ("pavise.common.v1.Date", json) => date(&json),
            ("google.protobuf.Any", Json::Object(object)) => Json::Object(self.any(object)),
            ("google.protobuf.FloatValue", json) => self.float(json),
            ("google.protobuf.Struct" | "google.protobuf.Value" | "google.protobuf.ListValue", json) => json,
            (_, Json::Object(object)) => Json::Object(self.fields(descriptor, object)),
            // The other well-known types are strings or bare values, and equal for both.
            (_, json) => json,
        }
    }

    fn any(&self, mut object: Map<String, Json>) -> Map<String, Json> {
        let url = object.get("@type").and_then(Json::as_str).unwrap_or_default().to_owned();
        let name = url.rsplit('/').next().unwrap_or_default();
        let Some(descriptor) = self.pool.get_message_by_name(name) else { return object };
        object.remove("@type");
        let mut rewritten = if descriptor.package_name() == "google.protobuf" && object.len() == 1 && is_special(name) {
            object.into_iter().map(|(key, value)| (key, self.message(&descriptor, value))).collect()
        } else {
            match self.message(&descriptor, Json::Object(object)) {
                Json::Object(object) => object,
                json => Map::from_iter([("value".to_owned(), json)]),
            }
        };
        rewritten.insert("@type".to_owned(), url.into());
        rewritten
    }

    fn fields(&self, descriptor: &MessageDescriptor, mut object: Map<String, Json>) -> Map<String, Json> {
        let mut rewritten = Map::new();
        for field in descriptor.fields() {
            let Some(json) = object.remove(field.json_name()) else { continue };
            if !self.secrets && pavise_contract::Sensitivity::of(&field) == pavise_contract::Sensitivity::Secret {
                continue;
            }
            if let Some(json) = self.field(&field, json) {
                rewritten.insert(field.json_name().to_owned(), json);
            }
        }
        rewritten.append(&mut object);
        rewritten
    }

    fn field(&self, field: &FieldDescriptor, json: Json) -> Option<Json> {
        match (field.kind(), json) {
            (Kind::Message(entry), Json::Object(entries)) if field.is_map() => {
                let kind = entry.map_entry_value_field().kind();
                let entries = entries.into_iter().map(|(key, json)| (key, self.value(&kind, json))).collect();
                Some(Json::Object(entries))
            }
            (kind, Json::Array(elements)) if field.is_list() => {
                Some(elements.into_iter().map(|json| self.value(&kind, json)).collect())
            }
            (Kind::Enum(descriptor), json) if !self.only_dates && unspecified(&descriptor, &json) => None,
            (kind, json) => Some(self.value(&kind, json)),
        }
    }

    fn value(&self, kind: &Kind, json: Json) -> Json {
        match kind {
            Kind::Message(descriptor) => self.message(descriptor, json),
            Kind::Enum(descriptor) if !self.only_dates => spelled(descriptor, json),
            Kind::Float => self.float(json),
            _ => json,
        }
    }

    /// prost-reflect prints a 32-bit number with the digits of 64 bits.
    fn float(&self, json: Json) -> Json {
        #[expect(clippy::cast_possible_truncation, reason = "it was one of 32 bits before")]
        let narrow = |wide: f64| wide as f32;
        match json.as_f64() {
            Some(wide) if !self.only_dates => narrow(wide).to_string().parse::<f64>().map_or(json, Json::from),
            _ => json,
        }
    }
}

/// Whether prost-reflect puts the message under `value` in an `Any`.
fn is_special(name: &str) -> bool {
    let short = name.rsplit('.').next().unwrap_or_default();
    matches!(short, "Any" | "Timestamp" | "Duration" | "FieldMask" | "Empty" | "Struct" | "Value" | "ListValue")
        || matches!(short, "DoubleValue" | "FloatValue" | "Int64Value" | "UInt64Value" | "Int32Value" | "UInt32Value")
        || matches!(short, "BoolValue" | "StringValue" | "BytesValue")
}

fn date(json: &Json) -> Json {
    let part = |name: &str| json.get(name).and_then(Json::as_i64).unwrap_or_default();
    format!("{:04}-{:02}-{:02}", part("year"), part("month"), part("day")).into()
}

fn unspecified(descriptor: &EnumDescriptor, json: &Json) -> bool {
    let value = json.as_str().and_then(|name| descriptor.get_value_by_name(name));
    value.is_some_and(|value| value.number() == 0 && pavise_contract::spelling::of(&value).is_none())
}

fn spelled(descriptor: &EnumDescriptor, json: Json) -> Json {
    let value = json.as_str().and_then(|name| descriptor.get_value_by_name(name));
    match value.and_then(|value| pavise_contract::spelling::of(&value)) {
        Some(spelling) => spelling.into(),
        None => json,
    }
}
