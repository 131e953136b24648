//! The rules of validation that follow from the format of a text.

use prost_reflect::{DescriptorPool, DynamicMessage, FieldDescriptor, Value};

use super::read;

/// A format's rules of validation.
struct Rule {
    /// The most characters; 0 where the pattern says it.
    most: u64,
    /// The pattern without its anchors; empty for none.
    pattern: &'static str,
    /// Whether the pattern refuses an empty text.
    refuses_empty: bool,
}

const fn plain(most: u64) -> Rule {
    Rule { most, pattern: "", refuses_empty: false }
}

/// The rules by the name of the format.
const RULES: &[(&str, Rule)] = &[
    // 001 §5: at most 64 characters before the at sign, and at least two after the last dot.
    (
        "FORMAT_EMAIL",
        Rule {
            most: 254,
            pattern: "[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?\\.)+[A-Za-z0-9]{2,}",
            refuses_empty: true,
        },
    ),
    ("FORMAT_PHONE", Rule { most: 24, pattern: "[0-9+(). -]*", refuses_empty: false }),
    ("FORMAT_PERSON_NAME", Rule { most: 80, pattern: "[^\\x00-\\x1f<>]*", refuses_empty: false }),
    (
        "FORMAT_POSTAL_CODE",
        Rule {
            most: 0,
            pattern: "([0-9]{5}(-[0-9]{4})?|[A-Za-z][0-9][A-Za-z] ?[0-9][A-Za-z][0-9])",
            refuses_empty: true,
        },
    ),
    ("FORMAT_LANGUAGE_TAG", plain(35)),
    ("FORMAT_LANGUAGE", plain(2)),
    ("FORMAT_TIME_ZONE", plain(64)),
    ("FORMAT_SSN", plain(16)),
    ("FORMAT_ITIN", plain(16)),
    ("FORMAT_SIN", plain(16)),
    ("FORMAT_EIN", plain(16)),
    ("FORMAT_BN", plain(20)),
    ("FORMAT_RFC", plain(20)),
    ("FORMAT_SIC", plain(4)),
    ("FORMAT_NAICS", plain(6)),
    ("FORMAT_DUNS", plain(16)),
];

/// Adds the rules of the field's format to those of its text. What the text's rules say already stays.
pub(super) fn complete(pool: &DescriptorPool, field: &FieldDescriptor, text: &mut DynamicMessage) {
    let Some(options) = pool
        .get_extension_by_name("pavise.contract.v1.field")
        .and_then(|option| read::option(&field.options(), &option))
    else {
        return;
    };
    let Some(Value::EnumNumber(number)) = options.get_field_by_name("format").map(|value| value.into_owned()) else {
        return;
    };
    let formats = pool.get_enum_by_name("pavise.contract.v1.Format").and_then(|formats| formats.get_value(number));
    let Some((_, rule)) = RULES.iter().find(|(name, _)| formats.as_ref().is_some_and(|one| one.name() == *name)) else {
        return;
    };
    let says = |text: &DynamicMessage, names: &[&str]| names.iter().any(|name| text.has_field_by_name(name));
    let can_be_empty = read::flag(&options, "can_be_empty");
    if rule.most > 0 && !says(text, &["max_len", "len", "const", "in"]) {
        text.set_field_by_name("max_len", Value::U64(rule.most));
    }
    if !rule.pattern.is_empty() && !says(text, &["pattern", "const", "in"]) {
        let pattern = match rule.refuses_empty && can_be_empty {
            true if rule.pattern.starts_with('(') => format!("^{}?$", rule.pattern),
            true => format!("^({})?$", rule.pattern),
            false => format!("^{}$", rule.pattern),
        };
        text.set_field_by_name("pattern", Value::String(pattern));
    }
    if !can_be_empty && !rule.refuses_empty && !says(text, &["min_len", "len", "const", "in"]) {
        text.set_field_by_name("min_len", Value::U64(1));
    }
}
