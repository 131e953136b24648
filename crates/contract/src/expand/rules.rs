//! The rules of validation that follow from what a field is and what it is called.

use std::collections::{BTreeMap, BTreeSet};

use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, MethodDescriptor, ServiceDescriptor,
    Value,
};

use super::edit::Edits;
use super::{format, read};

const IMPORT: &str = "buf/validate/validate.proto";
/// The longest id, and the longest page token.
const ID: u64 = 64;
const TOKEN: u64 = 1_536;
/// The largest page.
const PAGE: i32 = 500;
/// The most items of a list that one call edits.
const ITEMS: u64 = 50;

/// Where a field stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// In a request, and bound in the path of a call.
    Path,
    /// Elsewhere in a request.
    Request,
    /// In another message: nothing is added to it, but what it says is completed.
    Other,
}

/// Adds the rules. Requests are those of the services' own packages, so that a message has the same rules in each set.
pub(super) fn expand(pool: &DescriptorPool, services: &[ServiceDescriptor], edits: &mut Edits) {
    let (Some(option), Some(http)) =
        (pool.get_extension_by_name("buf.validate.field"), pool.get_extension_by_name("google.api.http"))
    else {
        return;
    };
    let mut requests: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let (mut items, mut targets) = (BTreeSet::new(), BTreeSet::new());
    for method in services.iter().flat_map(ServiceDescriptor::methods) {
        let input = method.input();
        let change = change(&method);
        items.extend(edited_lists(change.as_ref()).iter().map(|field| format!("{}.{field}", input.full_name())));
        let target = change.map(|change| read::text(&change, "to_field")).filter(|field| !field.is_empty());
        targets.extend(target.map(|field| format!("{}.{field}", input.full_name())));
        if input.package_name() == method.parent_service().package_name() {
            let bound = requests.entry(input.full_name().to_owned()).or_default();
            bound.extend(read::option(&method.options(), &http).iter().flat_map(bindings));
        }
    }
    let ours =
        |message: &MessageDescriptor| !["buf.", "google."].iter().any(|other| message.full_name().starts_with(other));
    for field in pool.all_messages().filter(ours).flat_map(|message| message.fields().collect::<Vec<_>>()) {
        let place = match requests.get(field.parent_message().full_name()) {
            Some(bound) if bound.contains(field.name()) => Place::Path,
            Some(_) => Place::Request,
            None => Place::Other,
        };
        let said = read::option(&field.options(), &option);
        // An empty rule stays, to say that there is none.
        if is_empty(said.as_ref()) {
            continue;
        }
        let mut rule = said.clone().or_else(|| read::empty(&option)).map(|rule| completed(&field, place, rule));
        if has_format(pool, &field) {
            rule = rule.map(|rule| formatted(pool, &field, rule));
        }
        if field.is_list() && items.contains(field.full_name()) {
            rule = rule.map(limited);
        }
        if targets.contains(field.full_name()) && !says_enum(rule.as_ref()) {
            rule = rule.map(target);
        }
        let ruled = rule.filter(|rule| !is_empty(Some(rule)));
        if ruled != said {
            let file = field.parent_file();
            if !file.dependencies().any(|import| import.name() == IMPORT) {
                edits.import(file.name(), IMPORT);
            }
            edits.set(field.full_name(), &option, ruled);
        }
    }
}

/// Whether the field is a text, or a list of texts, with a format.
fn has_format(pool: &DescriptorPool, field: &FieldDescriptor) -> bool {
    let option = pool.get_extension_by_name("pavise.contract.v1.field");
    let options = option.and_then(|option| read::option(&field.options(), &option));
    field.kind() == Kind::String && options.is_some_and(|options| options.has_field_by_name("format"))
}

/// The rule with what follows from the field's format.
fn formatted(pool: &DescriptorPool, field: &FieldDescriptor, mut rule: DynamicMessage) -> DynamicMessage {
    let of_text = match field.is_list() {
        true => part(&mut rule, "repeated").and_then(|list| part(list, "items")),
        false => Some(&mut rule),
    };
    if let Some(text) = of_text.and_then(|rule| part(rule, "string")) {
        format::complete(pool, field, text);
    }
    rule
}

/// The declaration of a call that changes an entity.
fn change(method: &MethodDescriptor) -> Option<DynamicMessage> {
    let option = method.parent_pool().get_extension_by_name("pavise.contract.v1.call")?;
    read::message(&read::option(&method.options(), &option)?, "change")
}

/// Whether a rule says which values of an enumeration are no values of the field.
fn says_enum(rule: Option<&DynamicMessage>) -> bool {
    rule.is_some_and(|rule| says(rule, "enum", &["in", "const", "not_in"]))
}

/// The rule of the status that a request names for an entity.
fn target(mut rule: DynamicMessage) -> DynamicMessage {
    if let Some(rules) = part(&mut rule, "enum") {
        rules.set_field_by_name("not_in", Value::List(vec![Value::I32(0)]));
    }
    rule
}

/// The request fields whose items or keys a call's edits of lists take.
fn edited_lists(change: Option<&DynamicMessage>) -> Vec<String> {
    let Some(change) = change else { return Vec::new() };
    let edits = ["add_items", "replace_items", "upsert_items", "remove_items"];
    let items = edits.iter().flat_map(|edit| read::messages(change, edit));
    items
        .map(|item| match read::text(&item, "from").as_str() {
            "" => read::text(&item, "list").rsplit('.').next().unwrap_or_default().to_owned(),
            from => from.to_owned(),
        })
        .collect()
}

/// A rule of a list that says how many items it has at most.
fn limited(mut rule: DynamicMessage) -> DynamicMessage {
    if let Some(repeated) = part(&mut rule, "repeated").filter(|repeated| !repeated.has_field_by_name("max_items")) {
        repeated.set_field_by_name("max_items", Value::U64(ITEMS));
    }
    rule
}

fn is_empty(rule: Option<&DynamicMessage>) -> bool {
    rule.is_some_and(|rule| rule.fields().next().is_none())
}

/// The request fields in the paths of a call: `/v1/orders/{order_id}`.
fn bindings(rule: &DynamicMessage) -> Vec<String> {
    let mut found = Vec::new();
    for verb in ["get", "put", "post", "delete", "patch"] {
        let path = read::text(rule, verb);
        found.extend(path.split('{').skip(1).filter_map(|rest| Some(rest.split(['}', '=']).next()?.to_owned())));
    }
    found.extend(read::messages(rule, "additional_bindings").iter().flat_map(bindings));
    found
}

/// The rule with what follows from the field.
fn completed(field: &FieldDescriptor, place: Place, mut rule: DynamicMessage) -> DynamicMessage {
    let request = place != Place::Other;
    let name = field.name();
    if field.is_list() {
        if !request && !rule.has_field_by_name("repeated") {
            return rule;
        }
        let item = match field.kind() {
            Kind::String if name == "ids" || name.ends_with("_ids") => id as fn(&mut DynamicMessage),
            Kind::Enum(_) => known as fn(&mut DynamicMessage),
            _ => return rule,
        };
        if let Some(repeated) = part(&mut rule, "repeated").filter(|repeated| !repeated.has_field_by_name("items")) {
            part(repeated, "items").map(item);
        }
        return rule;
    }
    match field.kind() {
        Kind::String if name.ends_with("_id") => text(&mut rule, place),
        Kind::String if name == "page_token" && request => most(&mut rule, TOKEN),
        Kind::Int32 if name == "page_size" && request && !rule.has_field_by_name("int32") => {
            if let Some(size) = part(&mut rule, "int32") {
                size.set_field_by_name("gte", Value::I32(0));
                size.set_field_by_name("lte", Value::I32(PAGE));
            }
        }
        Kind::Enum(_)
            if (request || says(&rule, "enum", &["not_in"]))
                && !says(&rule, "enum", &["in", "const", "defined_only"]) =>
        {
            set(&mut rule, "enum", "defined_only", Value::Bool(true));
        }
        _ => {}
    }
    rule
}

/// The rule of an id.
fn text(rule: &mut DynamicMessage, place: Place) {
    match place {
        Place::Path if !rule.has_field_by_name("string") => id(rule),
        Place::Other if !says(rule, "string", &["min_len"]) => {}
        _ => most(rule, ID),
    }
}

/// The rule of an id that must be there.
fn id(rule: &mut DynamicMessage) {
    set(rule, "string", "min_len", Value::U64(1));
    set(rule, "string", "max_len", Value::U64(ID));
}

/// A text that is at most so long, where nothing says how long it is.
fn most(rule: &mut DynamicMessage, length: u64) {
    if !says(rule, "string", &["max_len", "len", "const", "in"]) {
        set(rule, "string", "max_len", Value::U64(length));
    }
}

/// A value that the enumeration has, and not the unspecified one.
fn known(rule: &mut DynamicMessage) {
    set(rule, "enum", "defined_only", Value::Bool(true));
    set(rule, "enum", "not_in", Value::List(vec![Value::I32(0)]));
}

/// Whether the rules of a kind have one of these.
fn says(rule: &DynamicMessage, kind: &str, names: &[&str]) -> bool {
    read::message(rule, kind).is_some_and(|rules| names.iter().any(|name| rules.has_field_by_name(name)))
}

fn set(rule: &mut DynamicMessage, kind: &str, name: &str, value: Value) {
    if let Some(rules) = part(rule, kind) {
        rules.set_field_by_name(name, value);
    }
}

/// The message in a field, made where there is none.
fn part<'a>(rule: &'a mut DynamicMessage, field: &str) -> Option<&'a mut DynamicMessage> {
    rule.get_field_by_name_mut(field)?.as_message_mut()
}
