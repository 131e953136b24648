//! The OpenAPI 3.1 document of the REST facade, made from the contract.
//!
//! [`document`] describes every path of the facade: parameters and bodies with the rules of the protos as the
//! transcoder reads them, answers as it writes them, refusals with their reasons, and the callers who may call. No call
//! is written down here; the document follows the protos.
//!
//! The facade reads more than it writes: a caller may send `null` for nothing, a number for an enumeration, text for an
//! integer; an answer never has these. Messages of both ways therefore have two schemas, `Money` and `MoneyInput`.

mod answer;
mod binding;
mod bytes;
mod comment;
mod component;
mod example;
mod link;
mod name;
mod operation;
mod parameter;
mod path;
mod pattern;
mod refusal;
mod refusal_schema;
mod rule;
mod schema;
mod text;

use std::collections::BTreeMap;

use pavise_contract::{Contract, Service};
use prost_reflect::DescriptorPool;
use serde_json::{Map, Value, json};

use crate::binding::Operation;
use crate::component::Components;
use crate::path::Path;

/// The version of OpenAPI that the document follows.
const OPENAPI: &str = "3.1.0";

/// The sources of a document.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The descriptors, with their comments.
    pub pool: &'a DescriptorPool,
    /// The declarations of the descriptors.
    pub contract: &'a Contract,
    /// The services in the order in which they claim a path on shared hosts. Others follow.
    pub precedence: &'a [String],
    /// The version of the platform.
    pub version: &'a str,
}

/// The document of all services, or of one. Where two services claim one path, the document of all has the call that
/// answers on the bare domain; the other call stands in its own service's document.
///
/// `None` when there is no such service.
#[must_use]
pub fn document(source: &Source<'_>, service: Option<&str>) -> Option<Value> {
    let mut services: Vec<&Service> = source.contract.services.iter().filter(|one| is_served(one)).collect();
    let rank =
        |service: &Service| source.precedence.iter().position(|name| *name == service.name).unwrap_or(usize::MAX);
    services.sort_by_key(|service| rank(service));
    if let Some(name) = service {
        services.retain(|one| one.name == name);
        services.first()?;
    }
    let mut components = Components::new(source);
    let paths = paths(&services, &mut components);
    let tags: Vec<Value> =
        services.iter().map(|service| json!({"name": service.name, "description": service.comment()})).collect();
    let mut info =
        Map::from_iter([("title".to_owned(), json!(title(service))), ("version".to_owned(), json!(source.version))]);
    info.insert("description".to_owned(), json!(text::INTRODUCTION));
    Some(json!({
        "openapi": OPENAPI,
        "info": info,
        "servers": [{"url": "/", "description": "This server. Each service also answers on a host of its own, <service>.<base domain>."}],
        "tags": tags,
        "paths": paths,
        "components": components.finish(),
    }))
}

/// The names of the services that have a document.
pub fn services(contract: &Contract) -> impl Iterator<Item = &str> {
    contract.services.iter().filter(|service| is_served(service)).map(|service| service.name.as_str())
}

/// Whether the service has REST paths: a part of the platform that others call by gRPC alone has none.
fn is_served(service: &Service) -> bool {
    service.methods.iter().any(|method| !method.bindings.is_empty())
}

fn title(service: Option<&str>) -> String {
    match service {
        Some(name) => format!("Pavise: {}", name.replace('_', " ")),
        None => "Pavise".to_owned(),
    }
}

/// All paths with their operations. Paths that differ only in the names of their variables are one path.
fn paths(services: &[&Service], components: &mut Components<'_>) -> Value {
    let mut items: BTreeMap<String, (Path, Map<String, Value>)> = BTreeMap::new();
    for service in services {
        for method in &service.methods {
            for (at, binding) in method.bindings.iter().enumerate() {
                let path = Path::read(&binding.path, &method.descriptor.input());
                let (named, item) = items.entry(path.shape()).or_insert_with(|| (path.clone(), Map::new()));
                let verb = binding.verb.as_str().to_ascii_lowercase();
                if item.contains_key(&verb) {
                    continue;
                }
                let path = path.called_like(named);
                let operation = Operation { service, method, binding, at, path: &path };
                item.insert(verb, operation.write(components));
            }
        }
    }
    let named = items.into_values().map(|(path, item)| (path.text(), Value::Object(item)));
    Value::Object(named.collect())
}

impl Components<'_> {
    /// All components that were asked for.
    fn finish(mut self) -> Value {
        self.schemas.extend(refusal_schema::schemas());
        let ours = |made: BTreeMap<String, Value>| Value::Object(Map::from_iter(made));
        json!({
            "schemas": ours(self.schemas),
            "responses": ours(self.responses),
            "parameters": parameter::shared(),
            "headers": answer::headers(),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "A token of POST /v1/tokens."},
                "session": {
                    "type": "apiKey", "in": "cookie", "name": "__Host-pavise_session",
                    "description": "A browser's session, for the platform's own pages: what changes something needs their Origin. Without TLS, on the server's own machine, the name is `pavise_session`.",
                },
            },
        })
    }
}
