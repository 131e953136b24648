//! Calls that answer a stream.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::{ScopeKind, Watch};
use pavise_contract::{Aggregate, Behavior, Method, Service};
use prost_reflect::Kind;

use crate::{Source, aggregate, name, scope};

/// The messages of a narrowed watch.
const ENTRY: &str = "pavise.common.v1.JournalEntry";

/// Writes the body of a call that answers a stream; nothing for another call.
pub(crate) fn method(
    text: &mut String,
    source: &Source<'_>,
    service: &Service,
    method: &Method,
    constant: &str,
) -> Result<bool, Box<dyn Error>> {
    check(method)?;
    let (input, output) = (name::message(&method.descriptor.input()), name::message(&method.output()));
    let function = name::ident(method.descriptor.name());
    let work = match &method.behavior {
        Behavior::Watch(watch) if watch.aggregate.is_empty() => {
            if watch.scope() != ScopeKind::Unspecified {
                return Err(format!("{}: a watch of a scope names its aggregate", method.descriptor.full_name()).into());
            }
            let body = format!(
                "Ok(self.kernel.serve_watch({constant}, request).await?.map(|stream| -> ::pavise_kernel::stream::Messages<{output}> {{ Box::pin(stream) }}))"
            );
            return write(text, &function, (&input, &output), &body).map(|()| true);
        }
        Behavior::Watch(watch) => narrowed(source, method, watch)?,
        Behavior::Custom(custom) if custom.stream => {
            format!("crate::{}::{function}(&call, request).await", name::ident(&service.name))
        }
        _ => return Ok(false),
    };
    let body = format!("self.kernel.serve_stream({constant}, request, |call, request| async move {{ {work} }}).await");
    write(text, &function, (&input, &output), &body).map(|()| true)
}

fn write(text: &mut String, function: &str, (input, output): (&str, &str), body: &str) -> Result<(), Box<dyn Error>> {
    writeln!(
        text,
        "async fn {function}(&self, request: ::tonic::Request<{input}>) -> Result<::tonic::Response<::pavise_kernel::stream::Messages<{output}>>, ::tonic::Status> {{ {body} }}"
    )?;
    Ok(())
}

/// Whether the proto and the option agree that the call answers a stream.
fn check(method: &Method) -> Result<(), Box<dyn Error>> {
    let place = method.descriptor.full_name();
    let says = match &method.behavior {
        Behavior::Watch(_) => true,
        Behavior::Custom(custom) => custom.stream,
        _ => false,
    };
    if method.descriptor.is_client_streaming() {
        return Err(format!("{place}: a call takes one request").into());
    }
    if says == method.descriptor.is_server_streaming() {
        return Ok(());
    }
    Err(if says {
        format!("{place}: it returns a stream")
    } else {
        format!("{place}: only a watch, or a custom call with `stream`, answers a stream")
    }
    .into())
}

/// The watch of one entity, of one owner's entities, or of the entities in a scope.
fn narrowed(source: &Source<'_>, method: &Method, watch: &Watch) -> Result<String, Box<dyn Error>> {
    let place = method.descriptor.full_name();
    let of = aggregate::named(source, method, &watch.aggregate)?;
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
        (id, false) => Err(format!("{place}: the request has no string field {id}").into()),
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
