//! One call: what the envelope enforces of it, and its body.

use std::error::Error;
use std::fmt::Write as _;

use heck::ToSnakeCase as _;
use pavise_contract::options::v1::List;
use pavise_contract::{Aggregate, Behavior, Method, is_output_only, same_type};
use prost_reflect::Kind;

use crate::{Source, change, name};

/// The fields that the kernel sets.
pub(crate) const HEAD: [&str; 6] = ["id", "owner_id", "status", "version", "created_at", "updated_at"];

/// What the envelope enforces of a call.
pub(crate) struct Rule<'a> {
    pub(crate) aggregate: Option<&'a Aggregate>,
    pub(crate) action: String,
    pub(crate) actions: Vec<String>,
    pub(crate) from: Vec<String>,
    pub(crate) to: Vec<String>,
}

/// Reads what the envelope enforces, with every status spelt out.
pub(crate) fn rule<'a>(source: &'a Source<'_>, method: &Method) -> Result<Rule<'a>, Box<dyn Error>> {
    let answered = source.contract.aggregates.get(method.output().full_name());
    let one = |to: &str| if to.is_empty() { Vec::new() } else { vec![to.to_owned()] };
    let rule = match &method.behavior {
        Behavior::Create(create) => {
            Rule { aggregate: answered, action: create.action.clone(), actions: Vec::new(), from: Vec::new(), to: Vec::new() }
        }
        Behavior::Change(change) => Rule {
            aggregate: answered,
            action: change.action.clone(),
            actions: Vec::new(),
            from: allowed(answered, &change.from),
            to: one(&change.to),
        },
        Behavior::Delete(delete) => {
            let all = answered.map(|aggregate| aggregate.statuses.clone()).unwrap_or_default();
            let from = if delete.from.is_empty() { all } else { delete.from.clone() };
            Rule { aggregate: answered, action: delete.action.clone(), actions: Vec::new(), from, to: Vec::new() }
        }
        Behavior::Custom(custom) => {
            let named = format!("{}.{}", source.package, custom.aggregate);
            let aggregate = if custom.aggregate.is_empty() {
                answered
            } else {
                Some(
                    source
                        .contract
                        .aggregates
                        .get(&named)
                        .ok_or_else(|| format!("{}: there is no aggregate {named}", method.descriptor.full_name()))?,
                )
            };
            let from = if custom.reads { Vec::new() } else { allowed(aggregate, &custom.from) };
            Rule { aggregate, action: custom.action.clone(), actions: custom.actions.clone(), from, to: custom.to.clone() }
        }
        Behavior::Get(_) | Behavior::List(_) | Behavior::Journal(_) | Behavior::MaxClock(_) | Behavior::Watch(_) => {
            Rule { aggregate: answered, action: String::new(), actions: Vec::new(), from: Vec::new(), to: Vec::new() }
        }
    };
    Ok(rule)
}

/// The statuses that a call is allowed from: those it names, or all that something leads out of.
fn allowed(aggregate: Option<&Aggregate>, named: &[String]) -> Vec<String> {
    match aggregate {
        Some(aggregate) if named.is_empty() => {
            aggregate.statuses.iter().filter(|status| !aggregate.options.terminal.contains(status)).cloned().collect()
        }
        _ => named.to_vec(),
    }
}

/// Writes the body of a call.
pub(crate) fn method(text: &mut String, source: &Source<'_>, method: &Method, constant: &str) -> Result<(), Box<dyn Error>> {
    let rpc = method.descriptor.name();
    let (input, output) = (name::message(&method.descriptor.input()), name::message(&method.output()));
    let function = name::ident(rpc);
    if let Behavior::Watch(_) = method.behavior {
        writeln!(
            text,
            "type {rpc}Stream = ::core::pin::Pin<Box<dyn ::futures::Stream<Item = Result<{output}, ::tonic::Status>> + Send>>;
            async fn {function}(&self, request: ::tonic::Request<{input}>) -> Result<::tonic::Response<Self::{rpc}Stream>, ::tonic::Status> {{
                Ok(self.kernel.serve_watch({constant}, request).await?.map(|stream| -> Self::{rpc}Stream {{ Box::pin(stream) }}))
            }}"
        )?;
        return Ok(());
    }
    let body = match &method.behavior {
        Behavior::Journal(_) => format!("self.kernel.serve_journal({constant}, request).await"),
        Behavior::MaxClock(_) => format!("self.kernel.serve_max_clock({constant}, request).await"),
        Behavior::Custom(_) => format!(
            "let handler = self.handler.clone(); self.kernel.serve({constant}, request, |call, request| async move {{ handler.{function}(&call, request).await }}).await"
        ),
        declared => {
            let work = match declared {
                Behavior::Create(_) => create(source, method)?,
                Behavior::Get(get) => format!("call.get::<{output}>(&request.{}).await", id(method, &get.id)?),
                Behavior::Delete(delete) => format!("call.delete::<{output}>(&request.{}).await", id(method, &delete.id)?),
                Behavior::List(list) => self::list(source, method, list)?,
                Behavior::Change(change) => change::body(source, method, change)?,
                Behavior::Journal(_) | Behavior::MaxClock(_) | Behavior::Watch(_) | Behavior::Custom(_) => String::new(),
            };
            format!("self.kernel.serve({constant}, request, |call, request| async move {{ {work} }}).await")
        }
    };
    writeln!(
        text,
        "async fn {function}(&self, request: ::tonic::Request<{input}>) -> Result<::tonic::Response<{output}>, ::tonic::Status> {{ {body} }}"
    )?;
    Ok(())
}

/// The request's id field.
pub(crate) fn id(method: &Method, named: &str) -> Result<String, Box<dyn Error>> {
    let fallback = format!("{}_id", method.output().name().to_snake_case());
    let wanted = if named.is_empty() { fallback.as_str() } else { named };
    let field = method.descriptor.input().get_field_by_name(wanted).filter(name::is_string);
    let field = field.ok_or_else(|| {
        format!("{}: the request has no string field {wanted}; name the id field", method.descriptor.full_name())
    })?;
    Ok(name::field(&field))
}

fn create(source: &Source<'_>, method: &Method) -> Result<String, Box<dyn Error>> {
    let (input, output) = (method.descriptor.input(), method.output());
    let aggregate = source
        .contract
        .aggregates
        .get(output.full_name())
        .ok_or_else(|| format!("{}: create answers an aggregate", method.descriptor.full_name()))?;
    let mut fields = String::new();
    for field in input.fields() {
        let Some(target) = output.get_field_by_name(field.name()) else { continue };
        if HEAD.contains(&field.name()) || !same_type(&field, &target) {
            continue;
        }
        if is_output_only(&target) {
            let place = method.descriptor.full_name();
            return Err(format!("{place}: {} is set by the service only; the request must not carry it", target.name()).into());
        }
        writeln!(fields, "{ident}: request.{ident},", ident = name::field(&field))?;
    }
    let owner = if aggregate.options.shared { String::new() } else { "owner_id: call.owner().to_owned(),".to_owned() };
    Ok(format!("call.create({} {{ {owner} {fields} ..Default::default() }}).await", name::message(&output)))
}

fn list(source: &Source<'_>, method: &Method, list: &List) -> Result<String, Box<dyn Error>> {
    let (input, output) = (method.descriptor.input(), method.output());
    let place = method.descriptor.full_name();
    let items = output.fields().find(|field| {
        field.is_list() && field.kind().as_message().is_some_and(|item| source.contract.aggregates.contains_key(item.full_name()))
    });
    let items = items.ok_or_else(|| format!("{place}: a list answers a repeated aggregate"))?;
    let item = items.kind().as_message().cloned().ok_or("a list answers messages")?;
    let mut filters = String::new();
    for notation in &list.filters {
        let (filter, from) = notation.split_once(':').unwrap_or((notation, notation));
        let field = input.get_field_by_name(from).ok_or_else(|| format!("{place}: filter {from} is no field of the request"))?;
        let known = filter == "status"
            || source
                .contract
                .aggregates
                .get(item.full_name())
                .is_some_and(|aggregate| aggregate.options.lookups.iter().any(|lookup| lookup.field == filter));
        if !known {
            return Err(format!("{place}: filter {filter} is no lookup of {}", item.full_name()).into());
        }
        let ident = name::field(&field);
        let value = match field.kind() {
            Kind::Enum(_) => format!("request.{ident}().spelling().to_owned()"),
            Kind::String if field.supports_presence() => format!("request.{ident}.clone().unwrap_or_default()"),
            Kind::String => format!("request.{ident}.clone()"),
            _ => return Err(format!("{place}: filter {filter} must be a string or an enumeration").into()),
        };
        writeln!(filters, "({filter:?}, {value}),")?;
    }
    let (size, token) = ("request.page_size", "&request.page_token");
    Ok(format!(
        "let (items, next_page_token) = call.page::<{}>(::pavise_kernel::Page {{ size: {size}, token: {token}, filters: vec![{filters}] }}).await?; Ok({} {{ {}: items, next_page_token, ..Default::default() }})",
        name::message(&item),
        name::message(&output),
        name::field(&items),
    ))
}
