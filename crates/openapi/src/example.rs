//! Valid examples, from the names of fields, their rules and their patterns.

use pavise_contract::options::v1::{Format, Realm};
use pavise_contract::setters_of;
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

use crate::pattern;
use crate::rule::Rules;
use crate::schema::scalar::{self, is_demanded};
use crate::schema::way::{self, Way, is_always_written};

/// Below this depth, examples hold required fields only.
const DEPTH: u32 = 3;
/// Optional fields whose value cannot be made up: only the server that issued it knows its meaning.
const GIVEN_OUT: [&str; 4] = ["page_token", "epoch", "entity_id", "id_token"];
/// Optional fields that are left out beside the other: a request has one of the two.
const BESIDE: [(&str, &str); 7] = [
    ("username", "email"),
    ("email", "user_id"),
    ("bank_account", "card"),
    ("transaction_id", "payment_method_id"),
    ("decline_reason", "status"),
    ("parent_transaction_id", "status"),
    ("cohort", "co_brand_partner"),
];
/// Optional fields that refer to other parts of the same message, or that few callers may set.
const LEFT_OUT: [&str; 5] =
    ["classic_ids", "tier_ids", "required_product_ids", "excluded_product_ids", "employer_shares"];
/// The values of enumerations that fit together in an order of the demonstration.
const CHOSEN: [(&str, &str); 2] = [("channel", "BuyNow"), ("billing_period", "MONTHLY")];
/// Days that lie in the future, whenever the example is read.
const AHEAD: [&str; 3] = ["cancel_on", "cancelled_on", "effective_until"];
/// The values of fields with such an ending; the first match counts.
const WORDS: [(&str, &str); 33] = [
    ("app", "app"),
    ("return_to", "/app/"),
    ("supplement_id", "ride-share"),
    ("merged_identity_id", ANOTHER),
    ("new_owner_id", ANOTHER),
    ("email", "ada@example.com"),
    ("first_name", "Ada"),
    ("last_name", "Example"),
    ("username", "ada.example"),
    ("holder_name", "Ada Example"),
    ("name", "Ada Example"),
    ("phone", PHONE),
    ("phone_number", PHONE),
    ("time_zone", "America/Chicago"),
    ("number", "1000042"),
    ("offer_id", "20000000-0000-4000-8000-000000000001"),
    ("product_id", "10000000-0000-4000-8000-000000000001"),
    ("tier_id", "individual"),
    ("id", "0190c1a8-7f6e-7c3b-9d52-3f1e8a6b4c01"),
    ("brand", "pavise"),
    ("password", "a horse of the sea"),
    ("url", "https://example.com/"),
    ("link", "https://example.com/"),
    ("postal_code", "35203"),
    ("city", "Birmingham"),
    ("street", "1 Example Street"),
    ("line1", "1 Example Street"),
    ("description", "In a few words."),
    ("comment", "In a few words."),
    ("title", "A title"),
    ("locale", "en-US"),
    ("code", "123456"),
    ("last4", "1111"),
];
const PHONE: &str = "+15125550143";
/// A Social Security number that could have been given out: the first kind of a national identifier.
const SSN: &str = "501123456";
/// General freight trucking.
const NAICS: &str = "484121";
const ANOTHER: &str = "0190c1a8-7f6e-7c3b-9d52-3f1e8a6b4c02";
const UUID: &str = "0190c1a8-7f6e-7c3b-9d52-3f1e8a6b4c01";

/// An example of a message, without the fields that stand elsewhere.
pub(crate) fn message(message: &MessageDescriptor, way: Way, without: &[&str]) -> Value {
    object(message, way, without, 0)
}

fn object(message: &MessageDescriptor, way: Way, without: &[&str], depth: u32) -> Value {
    let mut object = Map::new();
    let mut chosen: Vec<String> = Vec::new();
    for field in way::fields(message, way).filter(|field| !without.contains(&field.name())) {
        let required = match way {
            Way::Answer => is_always_written(&field),
            Way::Body | Way::Text => is_demanded(&field, &Rules::of(&field)),
        };
        if let Some(oneof) = field.containing_oneof().filter(|oneof| !oneof.is_synthetic()) {
            if chosen.iter().any(|one| one == oneof.full_name()) {
                continue;
            }
            chosen.push(oneof.full_name().to_owned());
        }
        let withheld = way != Way::Answer && (is_left_out(&field) || pavise_contract::is_output_only(&field));
        if !required && (depth >= DEPTH || withheld) {
            continue;
        }
        if let Some(value) = self::field(&field, way, required, depth) {
            object.insert(field.json_name().to_owned(), value);
        }
    }
    Value::Object(object)
}

/// Whether an optional field is left out of examples.
fn is_left_out(field: &FieldDescriptor) -> bool {
    let has = |name: &str| field.parent_message().get_field_by_name(name).is_some();
    let beside = |(own, other): &(&str, &str)| field.name() == *own && has(other);
    let by_programs = setters_of(field) == [Realm::Machine];
    by_programs || GIVEN_OUT.contains(&field.name()) || LEFT_OUT.contains(&field.name()) || BESIDE.iter().any(beside)
}

/// Whether a field holds the identity of one person among others.
fn is_of_person(field: &FieldDescriptor) -> bool {
    let of_person = field.name() == "id" && field.parent_message().get_field_by_name("permission_type").is_some();
    field.name() == "identity_id" || of_person
}

/// Whether a field is the number of a national identifier. Its kind is the first one in an example.
fn is_national_identifier(field: &FieldDescriptor) -> bool {
    field.name() == "value" && field.parent_message().full_name() == "pavise.common.v1.NationalIdentifier"
}

/// An example of a field; `None` where none can be made and the field is optional.
pub(crate) fn field(field: &FieldDescriptor, way: Way, required: bool, depth: u32) -> Option<Value> {
    let rules = Rules::of(field);
    if field.is_map() {
        return Some(json!({}));
    }
    if field.is_list() {
        let least = rules.kind("repeated").integer("min_items").or_else(|| rules.required().then_some(1)).unwrap_or(0);
        if way == Way::Answer || least == 0 {
            let item = if depth < DEPTH { one(field, &rules.items(), way, false, depth) } else { None };
            let room = rules.kind("repeated").integer("max_items") != Some(0);
            return Some(Value::Array(item.filter(|_| room).into_iter().collect()));
        }
        let item = one(field, &rules.items(), way, true, depth)?;
        return Some(Value::Array(vec![item]));
    }
    one(field, &rules, way, required, depth)
}

fn one(field: &FieldDescriptor, rules: &Rules, way: Way, required: bool, depth: u32) -> Option<Value> {
    match field.kind() {
        // A person within a request is not the person whose request it is.
        Kind::String if depth > 0 && way == Way::Body && is_of_person(field) => Some(json!(ANOTHER)),
        Kind::String if is_national_identifier(field) => Some(json!(SSN)),
        // A number of a telephone may have any name.
        Kind::String if pavise_contract::format_of(field) == Format::Phone => Some(json!(PHONE)),
        Kind::String if pavise_contract::format_of(field) == Format::Naics => Some(json!(NAICS)),
        Kind::String => text(field.name(), rules, way).map(Value::String),
        Kind::Bool => Some(json!(true)),
        Kind::Bytes => Some(json!("cGF2aXNl")),
        Kind::Double | Kind::Float => Some(json!(1.5)),
        Kind::Enum(descriptor) => {
            let numbers = scalar::admitted(&descriptor, rules, required || way == Way::Answer);
            let mut spelled = scalar::spellings(&descriptor);
            spelled.retain(|(_, value)| numbers.contains(&i64::from(value.number())));
            let chosen = |(spelling, _): &(String, _)| CHOSEN.contains(&(field.name(), spelling.as_str()));
            let at = spelled.iter().position(chosen).unwrap_or(0);
            let found = spelled.into_iter().nth(at);
            found.map(|(spelling, _)| Value::String(spelling))
        }
        Kind::Message(message) if message.full_name() == "pavise.common.v1.Date" && AHEAD.contains(&field.name()) => {
            Some(json!("2099-12-31"))
        }
        Kind::Message(message) => special(&message).or_else(|| Some(object(&message, way, &[], depth + 1))),
        kind => {
            let none = Rules::default();
            let (low, high) = scalar::bounds(&kind, if way == Way::Answer { &none } else { rules });
            let choices = if way == Way::Answer { Vec::new() } else { scalar::choices(&kind, rules) };
            let number = choices.first().copied().unwrap_or_else(|| number(field.name()).clamp(low, high));
            let wide = matches!(kind, Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 | Kind::Uint64 | Kind::Fixed64);
            Some(if wide && way != Way::Text { json!(number.to_string()) } else { json!(number) })
        }
    }
}

fn number(name: &str) -> i64 {
    match name {
        "amount" => 2995,
        "expiry_year" => 2099,
        "expiry_month" => 12,
        "page_size" | "limit" => 20,
        "clock" | "wait" => 0,
        _ => 1,
    }
}

fn special(message: &MessageDescriptor) -> Option<Value> {
    Some(match message.full_name() {
        "google.protobuf.Timestamp" => json!("2026-03-31T13:20:00Z"),
        "pavise.common.v1.Date" => json!("2026-03-31"),
        "google.protobuf.Duration" => json!("3.5s"),
        "google.protobuf.FieldMask" => json!("status"),
        "google.protobuf.Struct" => json!({"theme": "dark"}),
        "google.protobuf.ListValue" => json!([1]),
        "google.protobuf.Value" => json!(1),
        "google.protobuf.StringValue" => json!("text"),
        "google.protobuf.BytesValue" => json!("cGF2aXNl"),
        "google.protobuf.BoolValue" => json!(true),
        "google.protobuf.Int64Value" | "google.protobuf.UInt64Value" => json!("1"),
        "google.protobuf.Int32Value" | "google.protobuf.UInt32Value" => json!(1),
        "google.protobuf.DoubleValue" | "google.protobuf.FloatValue" => json!(1.5),
        "google.protobuf.Any" => {
            json!({"@type": "type.googleapis.com/pavise.common.v1.Money", "currency": "USD", "amount": "2995"})
        }
        _ => return None,
    })
}

/// A text that fits the rules; `None` where none was found.
fn text(name: &str, rules: &Rules, way: Way) -> Option<String> {
    let rules = rules.kind("string");
    let bound = |name: &str| rules.integer(name).and_then(|bound| usize::try_from(bound).ok());
    let (shortest, longest) = match way {
        Way::Answer => (0, usize::MAX),
        Way::Body | Way::Text => (bound("min_len").unwrap_or(0), bound("max_len").unwrap_or(usize::MAX)),
    };
    let pattern = if way == Way::Answer { None } else { rules.text("pattern") };
    let regex = pattern.as_deref().and_then(|pattern| regex::Regex::new(pattern).ok());
    let fits = |text: &str| {
        (shortest..=longest).contains(&text.chars().count()) && regex.as_ref().is_none_or(|regex| regex.is_match(text))
    };
    let singular =
        name.strip_suffix("es").filter(|_| name.ends_with("sses")).or_else(|| name.strip_suffix('s')).unwrap_or(name);
    let is =
        |ending: &str| [name, singular].iter().any(|name| *name == ending || name.ends_with(&format!("_{ending}")));
    let word = WORDS.iter().find(|(ending, word)| is(ending) && fits(word)).map(|(_, word)| (*word).to_owned());
    let made = || match &pattern {
        Some(pattern) => {
            let wanted = shortest.max(1).min(longest);
            pattern::admitted(pattern, wanted, longest).or_else(|| pattern::admitted(pattern, shortest, longest))
        }
        None if fits("text") => Some("text".to_owned()),
        None if fits(UUID) => Some(UUID.to_owned()),
        None => Some("x".repeat(shortest)),
    };
    word.or_else(made)
}

/// An example of a parameter; `None` where it is left out.
pub(crate) fn of_parameter(field: &FieldDescriptor, required: bool) -> Option<Value> {
    if !required && is_left_out(field) {
        return None;
    }
    self::field(field, Way::Text, required, 0)
}
