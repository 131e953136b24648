//! Links from an answer: from the entity that a call makes to the calls that take its id.

use std::collections::BTreeSet;

use pavise_contract::{Behavior, Method};
use serde_json::{Map, Value, json};

use crate::answer::is_versioned;
use crate::binding::{Operation, operation_id};
use crate::component::Components;
use crate::path::Path;

/// The calls of the same service that take the id of the entity which `operation` makes.
pub(crate) fn of(components: &Components<'_>, operation: &Operation<'_>) -> Option<Value> {
    let output = operation.method.output();
    if !is_versioned(components, &output) || !makes(operation.method) {
        return None;
    }
    let id = format!("{}_id", snake(output.name()));
    let here: BTreeSet<&str> = operation.path.variables().map(|variable| variable.field.as_str()).collect();
    let mut links = Map::new();
    for method in &operation.service.methods {
        let Some(binding) = method.bindings.first() else { continue };
        let path = Path::read(&binding.path, &method.descriptor.input());
        let mut parameters = Map::new();
        let mut reached = true;
        for variable in path.variables() {
            let source = match variable.field.as_str() {
                field if field == id => "$response.body#/id".to_owned(),
                "identity_id" if id != "identity_id" => "$response.body#/ownerId".to_owned(),
                field if here.contains(field) => format!("$request.path.{}", variable.name),
                _ => {
                    reached = false;
                    break;
                }
            };
            parameters.insert(variable.name.clone(), json!(source));
        }
        if reached && parameters.values().any(|source| source == "$response.body#/id") {
            let operation_id = operation_id(operation.service, method, 0);
            links.insert(
                method.descriptor.name().to_owned(),
                json!({"operationId": operation_id, "parameters": parameters}),
            );
        }
    }
    (!links.is_empty()).then_some(Value::Object(links))
}

/// Whether the call makes a new entity.
fn makes(method: &Method) -> bool {
    let creates = ["Create", "Add", "Register"].iter().any(|verb| method.descriptor.name().starts_with(verb));
    matches!(method.behavior, Behavior::Create(_)) || (!method.reads() && creates)
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}
