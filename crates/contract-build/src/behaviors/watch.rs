//! A watch: a stream of journal entries.

use std::error::Error;

use pavise_contract::options::v1::{ScopeKind, Watch};
use pavise_contract::{Aggregate, Method};
use prost_reflect::Kind;

use crate::floor::entities;
use crate::{Source, name, scope};

/// The messages of a narrowed watch.
const ENTRY: &str = "pavise.common.v1.JournalEntry";

/// The whole body of a watch of the service's journal.
pub(crate) fn whole(method: &Method, watch: &Watch, constant: &str) -> Result<String, Box<dyn Error>> {
    if watch.scope() != ScopeKind::Unspecified {
        return Err(format!("{}: a watch of a scope names its aggregate", method.descriptor.full_name()).into());
    }
    let output = name::message(&method.output());
    Ok(format!(
        "Ok(self.kernel.serve_watch({constant}, request).await?.map(|stream| -> ::pavise_kernel::stream::Messages<{output}> {{ Box::pin(stream) }}))"
    ))
}

/// The watch of one entity, of one owner's entities, or of the entities in a scope.
pub(crate) fn narrowed(source: &Source<'_>, method: &Method, watch: &Watch) -> Result<String, Box<dyn Error>> {
    let place = method.descriptor.full_name();
    let of = entities::named(source, method, &watch.aggregate)?;
    let of = of.ok_or_else(|| format!("{place}: it names no aggregate"))?;
    if method.output().full_name() != ENTRY {
        return Err(format!("{place}: a watch answers a stream of {ENTRY}").into());
    }
    let input = method.descriptor.input();
    let has = |field: &str, kind: &Kind| {
        input.get_field_by_name(field).is_some_and(|field| field.kind() == *kind && !field.is_list())
    };
    if !has("clock", &Kind::Int64) || !has("epoch", &Kind::String) {
        return Err(format!("{place}: the request of a watch has an int64 clock and a string epoch").into());
    }
    let message = name::message(&of.descriptor);
    if watch.scope() != ScopeKind::Unspecified {
        return scoped(method, of, watch);
    }
    match (watch.id.as_str(), watch.owned) {
        ("", true) if method.access.owner.is_empty() => {
            Err(format!("{place}: a watch of one owner needs an access rule that names the owner").into())
        }
        ("", true) => Ok(format!("call.watch_owned::<{message}>(request.clock, &request.epoch).await")),
        (id, false) if has(id, &Kind::String) => Ok(format!(
            "call.watch_entity::<{message}>(&request.{}, request.clock, &request.epoch).await",
            name::ident(id)
        )),
        ("", false) | (_, true) => Err(format!("{place}: a narrowed watch names an id or a scope, or is owned").into()),
        (id, false) => Err(format!("{place}: the request has no text field {id}").into()),
    }
}

/// The watch of the entities in a scope.
fn scoped(method: &Method, of: &Aggregate, watch: &Watch) -> Result<String, Box<dyn Error>> {
    let (place, kind) = (method.descriptor.full_name(), watch.scope());
    if !watch.id.is_empty() || watch.owned {
        return Err(format!("{place}: a watch of a scope names no id, and is not owned").into());
    }
    if !of.options.scopes.iter().any(|scope| scope.kind() == kind) {
        let (entity, kind) = (of.descriptor.name(), kind.spelling());
        return Err(format!("{place}: {entity} has no scope of kind {kind}").into());
    }
    if !scope::named(method).iter().any(|(named, _)| *named == kind) {
        let kind = kind.spelling();
        return Err(
            format!("{place}: a watch of a scope of kind {kind} needs an access rule that names its field").into()
        );
    }
    let message = name::message(&of.descriptor);
    Ok(format!(
        "call.watch_scope::<{message}>(::pavise_kernel::table::ScopeKind::{kind:?}, request.clock, &request.epoch).await"
    ))
}
