//! Text, numbers, enumerations, days and times.

use prost_reflect::{EnumDescriptor, EnumValueDescriptor, FieldDescriptor, Kind};
use serde_json::{Map, Value, json};

use crate::component::Components;
use crate::pattern;
use crate::rule::Rules;
use crate::schema::way::{Way, put};

/// No engine stores the NUL character, so the facade refuses it everywhere.
pub(crate) const NO_NUL: &str = r"^[^\x00]*$";
const LEAST: i64 = -EXACT;
/// Base64 with or without padding.
const BASE64: &str = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}(==)?|[A-Za-z0-9+/]{3}=?)?$";
/// Bounds above this get no exact pattern.
const EXACT: i64 = 1_000_000_000_000_000;

/// The schema of a scalar.
pub(crate) fn schema(kind: &Kind, rules: &Rules, required: bool, way: Way) -> Value {
    match kind {
        Kind::String if way != Way::Answer && rules.ignores_zero() => {
            json!({"anyOf": [text(&rules.kind("string"), required, way), {"type": "string", "maxLength": 0}]})
        }
        Kind::String => text(&rules.kind("string"), required, way),
        Kind::Bool => json!({"type": "boolean"}),
        Kind::Bytes => json!({"type": "string", "contentEncoding": "base64", "pattern": BASE64}),
        Kind::Double | Kind::Float => decimal(kind, rules, way),
        _ => integer(kind, rules, way),
    }
}

fn text(rules: &Rules, required: bool, way: Way) -> Value {
    let mut schema = Map::from_iter([("type".to_owned(), json!("string"))]);
    if way != Way::Answer {
        let least = rules.integer("min_len").or_else(|| required.then_some(1)).filter(|least| *least > 0);
        put(&mut schema, "minLength", least);
        put(&mut schema, "maxLength", rules.integer("max_len"));
        schema.insert("pattern".to_owned(), json!(rules.text("pattern").unwrap_or_else(|| NO_NUL.to_owned())));
    }
    Value::Object(schema)
}

fn decimal(kind: &Kind, rules: &Rules, way: Way) -> Value {
    let format = if *kind == Kind::Float { "float" } else { "double" };
    let words = json!({"type": "string", "enum": ["NaN", "Infinity", "-Infinity"]});
    let number = json!({"type": "number", "format": format});
    let rules = rules.kind(format);
    match (way, rules.decimal("gte").zip(rules.decimal("lte"))) {
        (Way::Answer, _) | (Way::Text, None) => json!({"anyOf": [number, words]}),
        (Way::Body, None) => {
            json!({"anyOf": [number, words, {"type": "string", "pattern": "^-?[0-9]{1,9}(\\.[0-9]{1,9})?$"}]})
        }
        // A value between two numbers is a number.
        (Way::Text, Some((low, high))) => json!({"type": "number", "format": format, "minimum": low, "maximum": high}),
        (Way::Body, Some((low, high))) => {
            let number = json!({"type": "number", "format": format, "minimum": low, "maximum": high});
            json!({"anyOf": [number, {"type": "string", "pattern": whole_numbers(low, high)}]})
        }
    }
}

/// The pattern of the whole numbers between two bounds, where they are written as text.
#[expect(clippy::cast_possible_truncation, reason = "a bound that is too large gets no exact pattern in any case")]
fn whole_numbers(low: f64, high: f64) -> String {
    digits(low.ceil() as i64, high.floor() as i64)
}

/// The bounds of a whole number: those of its type, as the rules narrow them.
pub(crate) fn bounds(kind: &Kind, rules: &Rules) -> (i64, i64) {
    let (name, low, high) = span(kind);
    let rules = rules.kind(name);
    let least = rules.integer("gte").or_else(|| rules.integer("gt").map(|above| above.saturating_add(1)));
    let most = rules.integer("lte").or_else(|| rules.integer("lt").map(|below| below.saturating_sub(1)));
    (least.unwrap_or(low).max(low), most.unwrap_or(high).min(high))
}

/// The only values of a whole number that its rules admit; none where they admit a span.
pub(crate) fn choices(kind: &Kind, rules: &Rules) -> Vec<i64> {
    let (name, ..) = span(kind);
    rules.kind(name).integers("in")
}

/// The name of a type in rules, its least and its greatest value.
fn span(kind: &Kind) -> (&'static str, i64, i64) {
    match kind {
        Kind::Int32 => ("int32", i64::from(i32::MIN), i64::from(i32::MAX)),
        Kind::Sint32 => ("sint32", i64::from(i32::MIN), i64::from(i32::MAX)),
        Kind::Sfixed32 => ("sfixed32", i64::from(i32::MIN), i64::from(i32::MAX)),
        Kind::Uint32 => ("uint32", 0, i64::from(u32::MAX)),
        Kind::Fixed32 => ("fixed32", 0, i64::from(u32::MAX)),
        Kind::Int64 => ("int64", i64::MIN, i64::MAX),
        Kind::Sint64 => ("sint64", i64::MIN, i64::MAX),
        Kind::Sfixed64 => ("sfixed64", i64::MIN, i64::MAX),
        Kind::Uint64 => ("uint64", 0, i64::MAX),
        _ => ("fixed64", 0, i64::MAX),
    }
}

fn is_wide(kind: &Kind) -> bool {
    matches!(kind, Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 | Kind::Uint64 | Kind::Fixed64)
}

fn integer(kind: &Kind, rules: &Rules, way: Way) -> Value {
    let (low, high) = bounds(kind, rules);
    let format = if is_wide(kind) { "int64" } else { "int32" };
    let choices = choices(kind, rules);
    match way {
        Way::Text if !choices.is_empty() => json!({"type": "integer", "format": format, "enum": choices}),
        Way::Body if !choices.is_empty() => {
            let written = choices.iter().map(|choice| json!(choice.to_string()));
            let all: Vec<Value> = choices.iter().map(|choice| json!(choice)).chain(written).collect();
            json!({"type": ["integer", "string"], "format": format, "enum": all})
        }
        Way::Answer if is_wide(kind) => json!({"type": "string", "format": format, "pattern": "^-?[0-9]+$"}),
        Way::Answer => json!({"type": "integer", "format": format}),
        Way::Text => json!({"type": "integer", "format": format, "minimum": low, "maximum": high}),
        Way::Body => {
            let digits = digits(low, high);
            json!({"type": ["integer", "string"], "format": format, "minimum": low, "maximum": high, "pattern": digits})
        }
    }
}

/// The pattern of the numbers between two bounds, where they are written as text.
fn digits(low: i64, high: i64) -> String {
    match low {
        LEAST.. if high <= EXACT => pattern::between(low, high),
        0.. => "^[0-9]{1,18}$".to_owned(),
        _ => "^-?[0-9]{1,18}$".to_owned(),
    }
}

/// The key of a map.
pub(crate) fn key(kind: &Kind, rules: &Rules) -> Value {
    match kind {
        Kind::String => text(&rules.kind("string"), false, Way::Body),
        Kind::Bool => json!({"enum": ["true", "false"]}),
        _ => {
            let (low, high) = bounds(kind, rules);
            json!({"pattern": digits(low, high)})
        }
    }
}

pub(crate) fn time() -> Value {
    json!({"type": "string", "format": "date-time"})
}

pub(crate) fn date() -> Value {
    json!({"type": "string", "format": "date"})
}

/// The spellings of an enumeration in the order of the proto, each once.
pub(crate) fn spellings(descriptor: &EnumDescriptor) -> Vec<(String, EnumValueDescriptor)> {
    let mut found: Vec<(String, EnumValueDescriptor)> = Vec::new();
    for value in descriptor.values() {
        if let Some(spelling) = pavise_contract::spelling::of(&value)
            && found.iter().all(|(earlier, _)| *earlier != spelling)
        {
            found.push((spelling, value));
        }
    }
    found
}

/// The numbers of an enumeration that the rules admit.
pub(crate) fn admitted(descriptor: &EnumDescriptor, rules: &Rules, required: bool) -> Vec<i64> {
    let rules = rules.kind("enum");
    let (only, never) = (rules.integers("in"), rules.integers("not_in"));
    let mut numbers: Vec<i64> = descriptor.values().map(|value| i64::from(value.number())).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.retain(|number| (only.is_empty() || only.contains(number)) && !never.contains(number));
    numbers.retain(|number| !(required && *number == 0));
    numbers
}

/// The spellings; a caller may also send the number.
pub(crate) fn enumeration(
    components: &mut Components<'_>,
    descriptor: &EnumDescriptor,
    rules: &Rules,
    required: bool,
    way: Way,
) -> Value {
    if descriptor.full_name() == "google.protobuf.NullValue" {
        return json!({"type": "null"});
    }
    let all = components.enumeration(descriptor);
    if way == Way::Answer {
        return all;
    }
    let numbers = admitted(descriptor, rules, required);
    let spelled = spellings(descriptor);
    let open: Vec<&String> = spelled
        .iter()
        .filter(|(_, value)| numbers.contains(&i64::from(value.number())))
        .map(|(spelling, _)| spelling)
        .collect();
    let words = if open.len() == spelled.len() { all } else { json!({"type": "string", "enum": open}) };
    let whole = match (numbers.first(), numbers.last()) {
        (Some(first), Some(last)) if i64::try_from(numbers.len()).is_ok_and(|count| last - first + 1 == count) => {
            json!({"type": "integer", "minimum": first, "maximum": last})
        }
        _ => json!({"type": "integer", "enum": numbers}),
    };
    let read: Vec<String> = spelled
        .iter()
        .filter(|(_, value)| numbers.contains(&i64::from(value.number())))
        .flat_map(|(_, value)| pavise_contract::spelling::also_read(value))
        .collect();
    if read.is_empty() {
        return json!({"anyOf": [words, whole]});
    }
    json!({"anyOf": [words, {"type": "string", "enum": read}, whole]})
}

/// Whether the default of a field without presence breaks its rules.
pub(crate) fn refuses_default(kind: &Kind, rules: &Rules) -> bool {
    match kind {
        Kind::String => {
            let rules = rules.kind("string");
            let refused = |pattern: String| regex::Regex::new(&pattern).is_ok_and(|pattern| !pattern.is_match(""));
            rules.integer("min_len").is_some_and(|least| least > 0) || rules.text("pattern").is_some_and(refused)
        }
        Kind::Enum(descriptor) => !admitted(descriptor, rules, false).contains(&0),
        Kind::Bytes => rules.kind("bytes").integer("min_len").is_some_and(|least| least > 0),
        Kind::Bool | Kind::Double | Kind::Float | Kind::Message(_) => false,
        _ => {
            let (low, high) = bounds(kind, rules);
            let choices = choices(kind, rules);
            !(low..=high).contains(&0) || !(choices.is_empty() || choices.contains(&0))
        }
    }
}

/// Whether a caller must send the field: a rule demands it, or its absence breaks a rule.
pub(crate) fn is_demanded(field: &FieldDescriptor, rules: &Rules) -> bool {
    if rules.required() {
        return true;
    }
    if field.is_list() {
        return rules.kind("repeated").integer("min_items").is_some_and(|least| least > 0);
    }
    if field.is_map() {
        return rules.kind("map").integer("min_pairs").is_some_and(|least| least > 0);
    }
    !field.supports_presence() && !rules.ignores_zero() && refuses_default(&field.kind(), rules)
}
