//! The scopes of access rules and of aggregates.

use prost_reflect::{DynamicMessage, MethodDescriptor, Value};

use super::read;

/// The number of the kind GROUP.
const GROUP: i32 = 1;

/// Writes `group` of a rule or an aggregate as a scope of kind GROUP.
pub(super) fn of_group(said: &mut DynamicMessage) {
    let group = read::text(said, "group");
    let kind = said.get_field_by_name("scopes").is_some().then(|| message_of(said)).flatten();
    let (false, Some(mut scope)) = (group.is_empty(), kind) else { return };
    said.clear_field_by_name("group");
    scope.set_field_by_name("kind", Value::EnumNumber(GROUP));
    scope.set_field_by_name("field", Value::String(group));
    let mut scopes = read::messages(said, "scopes");
    match scopes.iter_mut().find(|other| kind_of(other) == GROUP) {
        Some(other) if read::text(other, "field").is_empty() => {
            if let Some(field) = scope.get_field_by_name("field") {
                other.set_field_by_name("field", field.into_owned());
            }
        }
        Some(_) => {}
        None => scopes.insert(0, scope),
    }
    said.set_field_by_name("scopes", list(scopes));
}

/// Takes the scopes of a default over, of each kind that the rule does not say. A request without the field names no
/// scope: then only the roles count.
pub(super) fn take(rule: &mut DynamicMessage, default: &DynamicMessage, method: &MethodDescriptor) {
    let without = read::texts(rule, "without");
    if without.iter().any(|part| part == "scopes") || rule.get_field_by_name("scopes").is_none() {
        return;
    }
    let mut default = default.clone();
    of_group(&mut default);
    let mut scopes = read::messages(rule, "scopes");
    let said: Vec<i32> = scopes.iter().map(kind_of).collect();
    for mut scope in read::messages(&default, "scopes") {
        let kind = kind_of(&scope);
        if said.contains(&kind) || (kind == GROUP && without.iter().any(|part| part == "group")) {
            continue;
        }
        if method.input().get_field_by_name(&read::text(&scope, "field")).is_none() {
            scope.clear_field_by_name("field");
            if read::texts(&scope, "roles").is_empty() {
                continue;
            }
        }
        scopes.push(scope);
    }
    if !scopes.is_empty() {
        rule.set_field_by_name("scopes", list(scopes));
    }
}

fn kind_of(scope: &DynamicMessage) -> i32 {
    scope.get_field_by_name("kind").and_then(|kind| kind.as_enum_number()).unwrap_or_default()
}

/// An empty scope, of the type that the message's `scopes` have.
fn message_of(said: &DynamicMessage) -> Option<DynamicMessage> {
    let field = prost_reflect::ReflectMessage::descriptor(said).get_field_by_name("scopes")?;
    field.kind().as_message().cloned().map(DynamicMessage::new)
}

fn list(scopes: Vec<DynamicMessage>) -> Value {
    Value::List(scopes.into_iter().map(Value::Message).collect())
}
