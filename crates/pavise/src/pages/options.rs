//! `docs/contract-options.md`: the options of the contract, from their comments and their first uses.

use std::collections::HashMap;
use std::fmt::Write as _;

use prost_reflect::{
    Cardinality, DescriptorPool, DynamicMessage, EnumDescriptor, FieldDescriptor, FileDescriptor, Kind,
    MessageDescriptor, Value,
};

use super::page::MADE;

const FILE: &str = "pavise/contract/v1/options.proto";
const PACKAGE: &str = "pavise.contract.v1";
/// The messages that no proto states: the build derives them.
const DERIVED: &str = "pavise.contract.v1.Facts";
/// The longest value of a first use that is shown.
const LONGEST: usize = 110;
/// The number of the path of a file's syntax, whose comment is the file's.
const SYNTAX: i32 = 12;

/// The text of the page.
#[must_use]
pub fn text(pool: &DescriptorPool) -> String {
    let mut page = format!("# Options of the contract\n\n{MADE}\n");
    let Some(file) = pool.get_file_by_name(FILE) else { return page };
    page.push_str(&prose(&comment(&file, &[SYNTAX]), ""));
    page.push_str(
        "\n\nA first use shows the expanded form, with what the build filled in. The options themselves are those of\n`pavise.contract.v1`: `option (pavise.contract.v1.call).get = {};`.\n",
    );
    let uses = Uses::find(pool);
    let _ = write!(page, "\n## Where they stand\n\n");
    for extension in file.extensions().filter(|extension| extension.name() != "facts") {
        let place = match extension.containing_message().name() {
            "ServiceOptions" => "a service",
            "MethodOptions" => "a call",
            "MessageOptions" => "a message",
            "FieldOptions" => "a field",
            _ => "a value of an enumeration",
        };
        let kind = type_of(&extension.kind(), extension.cardinality());
        let told = prose(&comment(&file, extension.path()), "  ");
        let _ = writeln!(page, "- **`{}`** of {place}: {kind}. {told}", extension.name());
    }
    for message in file.messages().filter(|message| message.full_name() != DERIVED) {
        describe(&mut page, &file, &message, &uses);
    }
    for one in file.enums().filter(|one| one.name() != "Answers") {
        describe_values(&mut page, &file, &one);
    }
    page
}

fn describe(page: &mut String, file: &FileDescriptor, message: &MessageDescriptor, uses: &Uses) {
    let _ = write!(page, "\n## {}\n\n{}\n", message.name(), prose(&comment(file, message.path()), ""));
    let mut fields: Vec<FieldDescriptor> = message.fields().collect();
    fields.sort_by_key(|field| field.path().last().copied());
    for (at, field) in fields.iter().enumerate() {
        let (kind, told) = (type_of(&field.kind(), field.cardinality()), prose(&comment(file, field.path()), "  "));
        let gap = if at == 0 { "\n" } else { "" };
        let _ = writeln!(page, "{gap}- **`{}`**: {kind}. {told}{}", field.name(), uses.of(field));
    }
}

fn describe_values(page: &mut String, file: &FileDescriptor, one: &EnumDescriptor) {
    let _ = write!(page, "\n## {}\n\n{}\n\n", one.name(), prose(&comment(file, one.path()), ""));
    for value in one.values().filter(|value| value.number() != 0 || !comment(file, value.path()).contains("Not said")) {
        let _ = writeln!(page, "- `{}`: {}", value.name(), prose(&comment(file, value.path()), "  "));
    }
}

/// A type, with a link to the part that describes it.
fn type_of(kind: &Kind, cardinality: Cardinality) -> String {
    let named = |name: &str| format!("[{name}](#{})", name.to_lowercase());
    let one = match kind {
        Kind::Message(message) => named(message.name()),
        Kind::Enum(one) => named(one.name()),
        Kind::String => "text".to_owned(),
        Kind::Bool => "true or false".to_owned(),
        _ => "number".to_owned(),
    };
    if cardinality == Cardinality::Repeated { format!("list of {one}") } else { one }
}

/// The comment at a path, with its line breaks.
fn comment(file: &FileDescriptor, path: &[i32]) -> String {
    let info = file.file_descriptor_proto().source_code_info.as_ref();
    let location = info.and_then(|info| info.location.iter().find(|location| location.path == path));
    location.map(|location| location.leading_comments().to_owned()).unwrap_or_default()
}

/// A comment as Markdown: its paragraphs, and its indented lines as they are.
fn prose(comment: &str, indent: &str) -> String {
    let mut out = String::new();
    let mut is_code = false;
    for line in comment.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()) {
        let code = line.starts_with("  ");
        if code != is_code {
            let fence = if code { "text" } else { "" };
            let _ = write!(out, "\n{indent}```{fence}");
            is_code = code;
        }
        let separator = match (out.is_empty(), line.is_empty()) {
            (true, _) => String::new(),
            (false, true) => "\n".to_owned(),
            (false, false) => format!("\n{indent}"),
        };
        let _ = write!(out, "{separator}{}", if code { line.get(2..).unwrap_or_default() } else { line });
    }
    if is_code {
        let _ = write!(out, "\n{indent}```");
    }
    out
}

/// The first use of each option's field: the place, and the value.
struct Uses(HashMap<(String, u32), (String, String)>);

impl Uses {
    fn find(pool: &DescriptorPool) -> Self {
        let mut uses = Self(HashMap::new());
        for service in pool.services() {
            uses.note_options(service.name(), &service.options());
            for method in service.methods() {
                uses.note_options(&format!("{}.{}", service.name(), method.name()), &method.options());
            }
        }
        for message in pool.all_messages() {
            uses.note_options(message.name(), &message.options());
            for field in message.fields() {
                uses.note_options(&format!("{}.{}", message.name(), field.name()), &field.options());
            }
        }
        for value in pool.all_enums().flat_map(|one| one.values().collect::<Vec<_>>()) {
            uses.note_options(value.name(), &value.options());
        }
        uses
    }

    fn note_options(&mut self, place: &str, options: &DynamicMessage) {
        for (_, value) in options.extensions().filter(|(option, _)| option.full_name().starts_with(PACKAGE)) {
            self.note(place, value);
        }
    }

    fn note(&mut self, place: &str, value: &Value) {
        match value {
            Value::Message(message) => {
                for (field, value) in message.fields() {
                    let key = (field.parent_message().full_name().to_owned(), field.number());
                    self.0.entry(key).or_insert_with(|| (place.to_owned(), said(&field, value)));
                    self.note(place, value);
                }
            }
            Value::List(list) => list.iter().for_each(|one| self.note(place, one)),
            _ => {}
        }
    }

    fn of(&self, field: &FieldDescriptor) -> String {
        match self.0.get(&(field.parent_message().full_name().to_owned(), field.number())) {
            Some((place, value)) if value.len() <= LONGEST => format!("\n  First use: `{place}`, `{value}`."),
            Some((place, _)) => format!("\n  First use: `{place}`."),
            None => String::new(),
        }
    }
}

/// A field's value as a proto writes it.
fn said(field: &FieldDescriptor, value: &Value) -> String {
    match value {
        Value::List(list) if matches!(field.kind(), Kind::Message(_)) && list.len() == 1 => {
            format!("{}: {}", field.name(), list.iter().map(|one| literal(field, one)).collect::<String>())
        }
        Value::List(list) => {
            let list: Vec<String> = list.iter().map(|one| literal(field, one)).collect();
            format!("{}: [{}]", field.name(), list.join(", "))
        }
        one => format!("{}: {}", field.name(), literal(field, one)),
    }
}

fn literal(field: &FieldDescriptor, value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        Value::Bool(flag) => flag.to_string(),
        Value::I32(number) => number.to_string(),
        Value::I64(number) => number.to_string(),
        Value::EnumNumber(number) => {
            let kind = field.kind();
            let value = kind.as_enum().and_then(|one| one.get_value(*number));
            value.map_or_else(|| number.to_string(), |value| value.name().to_owned())
        }
        Value::Message(message) => {
            let fields: Vec<String> = message.fields().map(|(field, value)| said(&field, value)).collect();
            format!("{{{}}}", fields.join(" "))
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_keeps_its_paragraphs_and_its_tables() {
        let said = " One\n two.\n\n Three:\n   a  b\n   c  d\n Four.\n";
        assert_eq!(prose(said, "  "), "One\n  two.\n\n  Three:\n  ```text\n  a  b\n  c  d\n  ```\n  Four.");
    }

    #[test]
    fn each_option_is_described() {
        let pool = crate::domains::pool(true).unwrap();
        let page = text(&pool);
        let file = pool.get_file_by_name(FILE).unwrap();
        for message in file.messages().filter(|message| message.full_name() != DERIVED) {
            assert!(page.contains(&format!("\n## {}\n", message.name())), "{}", message.name());
            for field in message.fields() {
                assert!(!comment(&file, field.path()).is_empty(), "{} has no comment", field.full_name());
                assert!(page.contains(&format!("- **`{}`**", field.name())), "{}", field.full_name());
            }
        }
        assert!(page.contains("First use: `"), "{page}");
    }
}
