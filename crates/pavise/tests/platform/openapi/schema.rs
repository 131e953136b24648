//! As much of JSON schema as the document uses. A keyword that is not known here fails the test that meets it, so that none
//! is passed over; `scripts/schemathesis` checks the same with a complete implementation.

use regex::Regex;
use serde_json::{Map, Value};

/// Keywords without effect on validity.
const WORDS: [&str; 13] = [
    "description",
    "examples",
    "example",
    "format",
    "readOnly",
    "writeOnly",
    "contentEncoding",
    "x-audience",
    "x-items",
    "summary",
    "title",
    "deprecated",
    "default",
];

/// Why `value` is not one of `schema`; nothing where it is.
pub(crate) fn problem(document: &Value, schema: &Value, value: &Value) -> Option<String> {
    let schema = schema.as_object().expect("a schema is an object");
    let mut keywords = schema.iter().filter(|(keyword, _)| !WORDS.contains(&keyword.as_str()));
    keywords.find_map(|(keyword, said)| match keyword.as_str() {
        "$ref" => {
            let path = said.as_str().unwrap_or_default().trim_start_matches('#');
            problem(document, document.pointer(path).unwrap_or_else(|| panic!("{path} leads nowhere")), value)
        }
        "anyOf" => {
            let problems: Vec<String> = list(said).iter().map_while(|one| problem(document, one, value)).collect();
            (problems.len() == list(said).len()).then(|| problems.join(" and "))
        }
        "oneOf" => {
            let fits = list(said).iter().filter(|one| problem(document, one, value).is_none()).count();
            (fits != 1).then(|| format!("{fits} choices fit {value}"))
        }
        "allOf" => list(said).iter().find_map(|one| problem(document, one, value)),
        "not" => problem(document, said, value).is_none().then(|| format!("{value} is what it must not be")),
        "type" => {
            let fits = list(said).iter().any(|kind| is(value, kind.as_str().unwrap_or_default()));
            (!fits).then(|| format!("{value} is no {said}"))
        }
        "enum" => (!list(said).contains(value)).then(|| format!("{value} is none of {said}")),
        "const" => (said != value).then(|| format!("{value} is not {said}")),
        _ => match value {
            Value::Object(fields) => of_object(document, schema, keyword, said, fields),
            Value::Array(items) => of_list(document, keyword, said, items),
            Value::String(text) => of_text(keyword, said, text),
            _ => of_number(keyword, said, value),
        },
    })
}

fn of_object(
    document: &Value,
    schema: &Map<String, Value>,
    keyword: &str,
    said: &Value,
    fields: &Map<String, Value>,
) -> Option<String> {
    let below = |name: &str, problem: String| format!("{name}: {problem}");
    match keyword {
        "properties" => said.as_object()?.iter().find_map(|(name, schema)| {
            let value = fields.get(name)?;
            problem(document, schema, value).map(|problem| below(name, problem))
        }),
        "required" => {
            let missing = list(said).iter().filter_map(Value::as_str).find(|name| !fields.contains_key(*name));
            missing.map(|name| format!("{name} is missing"))
        }
        "additionalProperties" => {
            let known = schema.get("properties").and_then(Value::as_object);
            let mut others = fields.iter().filter(|(name, _)| !known.is_some_and(|known| known.contains_key(*name)));
            others.find_map(|(name, value)| match said {
                Value::Bool(admitted) => (!admitted).then(|| format!("{name} is not known")),
                schema => problem(document, schema, value).map(|problem| below(name, problem)),
            })
        }
        "propertyNames" => fields.keys().find_map(|name| problem(document, said, &Value::from(name.as_str()))),
        "minProperties" => (size(fields.len()) < said.as_i64()?).then(|| "has too few fields".to_owned()),
        "maxProperties" => (size(fields.len()) > said.as_i64()?).then(|| "has too many fields".to_owned()),
        other => unmoved(other),
    }
}

fn of_list(document: &Value, keyword: &str, said: &Value, items: &[Value]) -> Option<String> {
    match keyword {
        "items" => {
            let mut numbered = items.iter().enumerate();
            numbered.find_map(|(at, item)| problem(document, said, item).map(|problem| format!("[{at}] {problem}")))
        }
        "minItems" => (size(items.len()) < said.as_i64()?).then(|| "has too few items".to_owned()),
        "maxItems" => (size(items.len()) > said.as_i64()?).then(|| "has too many items".to_owned()),
        "uniqueItems" => {
            let twice = items.iter().enumerate().any(|(at, item)| items.iter().skip(at + 1).any(|other| other == item));
            twice.then(|| "has an item twice".to_owned())
        }
        other => unmoved(other),
    }
}

fn of_text(keyword: &str, said: &Value, text: &str) -> Option<String> {
    let length = size(text.chars().count());
    match keyword {
        "pattern" => {
            let pattern = Regex::new(said.as_str()?).expect("a pattern");
            (!pattern.is_match(text)).then(|| format!("{text:?} does not match {said}"))
        }
        "minLength" => (length < said.as_i64()?).then(|| format!("{text:?} is too short")),
        "maxLength" => (length > said.as_i64()?).then(|| format!("{text:?} is too long")),
        other => unmoved(other),
    }
}

fn of_number(keyword: &str, said: &Value, value: &Value) -> Option<String> {
    match (keyword, value.as_f64(), said.as_f64()) {
        ("minimum", Some(value), Some(least)) => (value < least).then(|| format!("{value} is less than {least}")),
        ("exclusiveMinimum", Some(value), Some(least)) => {
            (value <= least).then(|| format!("{value} is not more than {least}"))
        }
        ("maximum", Some(value), Some(most)) => (value > most).then(|| format!("{value} is more than {most}")),
        (other, ..) => unmoved(other),
    }
}

/// A keyword of another type of value says nothing; one that nobody knows ends the test.
fn unmoved(keyword: &str) -> Option<String> {
    const KNOWN: [&str; 17] = [
        "properties",
        "required",
        "additionalProperties",
        "propertyNames",
        "minProperties",
        "maxProperties",
        "items",
        "minItems",
        "maxItems",
        "uniqueItems",
        "pattern",
        "minLength",
        "maxLength",
        "minimum",
        "exclusiveMinimum",
        "maximum",
        "maxContains",
    ];
    assert!(KNOWN.contains(&keyword), "{keyword} is not known to this test");
    None
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("there is no type {other}"),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice)
}

fn size(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}
