//! One call: the rule that the envelope enforces, and the call's body.

use std::error::Error;
use std::fmt::Write as _;

use heck::ToSnakeCase as _;
use pavise_contract::options::v1::Create;
use pavise_contract::{Aggregate, Behavior, Method, Service, is_output_only, same_type};
use prost_reflect::MessageDescriptor;

use crate::{Source, aggregate, batch, change, child, name, read, stream, titles, upsert};

/// The fields that the kernel sets.
pub(crate) const HEAD: [&str; 6] = ["id", "owner_id", "status", "version", "created_at", "updated_at"];

/// The rule that the envelope enforces for a call.
pub(crate) struct Rule<'a> {
    pub(crate) aggregate: Option<&'a Aggregate>,
    pub(crate) action: String,
    pub(crate) actions: Vec<String>,
    pub(crate) from: Vec<String>,
    pub(crate) to: Vec<String>,
    /// The pairs of statuses that the call leads between, unless it leads from each of `from` to each of `to`.
    pub(crate) steps: Vec<(String, String)>,
}

/// Reads a call's rule, with every status spelt out.
pub(crate) fn rule<'a>(source: &'a Source<'_>, method: &Method) -> Result<Rule<'a>, Box<dyn Error>> {
    let written = |aggregate, action: &String, actions: &[String]| Rule {
        aggregate,
        action: action.clone(),
        actions: actions.to_vec(),
        from: Vec::new(),
        to: Vec::new(),
        steps: Vec::new(),
    };
    let aggregate = |name: &str| aggregate::named(source, method, name);
    let rule = match &method.behavior {
        Behavior::Create(create) => upsert::rule(create, written(aggregate("")?, &create.action, &create.actions)),
        Behavior::Change(change) => {
            let aggregate = aggregate(&change.aggregate)?;
            let steps: Vec<_> = method.pairs().map(|(from, to)| (from.to_owned(), to.to_owned())).collect();
            let mut to: Vec<String> = Some(change.to.clone()).filter(|to| !to.is_empty()).into_iter().collect();
            to.extend(steps.iter().map(|(_, to)| to.clone()));
            to.sort();
            to.dedup();
            Rule {
                from: allowed(aggregate, &change.from),
                to,
                steps,
                ..written(aggregate, &change.action, &[change.actions.clone(), step_actions(method)].concat())
            }
        }
        Behavior::Delete(delete) => {
            let aggregate = aggregate("")?;
            let all = aggregate.map(|aggregate| aggregate.statuses.clone()).unwrap_or_default();
            let from = if delete.from.is_empty() { all } else { delete.from.clone() };
            Rule { from, ..written(aggregate, &delete.action, &delete.actions) }
        }
        Behavior::Custom(custom) => {
            let aggregate = aggregate(&custom.aggregate)?;
            let steps = method.pairs().map(|(from, to)| (from.to_owned(), to.to_owned())).collect();
            let (from, to) = (method.from(source.contract), custom.to.clone());
            Rule { from, to, steps, ..written(aggregate, &custom.action, &custom.actions) }
        }
        Behavior::Get(get) => written(aggregate(&get.aggregate)?, &String::new(), &[]),
        Behavior::Batch(batch) => written(aggregate(&batch.aggregate)?, &String::new(), &[]),
        Behavior::Watch(watch) => written(aggregate(&watch.aggregate)?, &String::new(), &[]),
        Behavior::List(_)
        | Behavior::Journal(_)
        | Behavior::MaxClock(_)
        | Behavior::Health(_)
        | Behavior::Titles(_) => written(aggregate("")?, &String::new(), &[]),
    };
    Ok(rule)
}

fn step_actions(method: &Method) -> Vec<String> {
    method.step_actions().into_iter().map(str::to_owned).collect()
}

/// The aggregate's handwritten consequences for the call, if any.
pub(crate) fn follows(source: &Source<'_>, method: &Method) -> Result<Option<String>, Box<dyn Error>> {
    let writes = matches!(method.behavior, Behavior::Create(_) | Behavior::Change(_) | Behavior::Delete(_));
    let aggregate = rule(source, method)?.aggregate.filter(|aggregate| writes && aggregate.options.consequences);
    Ok(aggregate.map(|aggregate| name::message(&aggregate.descriptor)))
}

/// The statuses that a call is allowed from: those that it names, or all that are not terminal.
pub(crate) fn allowed(aggregate: Option<&Aggregate>, named: &[String]) -> Vec<String> {
    match aggregate {
        Some(aggregate) if named.is_empty() => {
            aggregate.statuses.iter().filter(|status| !aggregate.options.terminal.contains(status)).cloned().collect()
        }
        _ => named.to_vec(),
    }
}

/// Writes the body of a call. A custom call is the function `crate::<service>::<rpc>`.
pub(crate) fn method(
    text: &mut String,
    source: &Source<'_>,
    service: &Service,
    method: &Method,
    constant: &str,
) -> Result<(), Box<dyn Error>> {
    let rpc = method.descriptor.name();
    let (input, output) = (name::message(&method.descriptor.input()), name::message(&method.output()));
    let function = name::ident(rpc);
    if stream::method(text, source, service, method, constant)? {
        return Ok(());
    }
    let admit = child::admission(source, method)?;
    let serve = |work: &str| {
        format!("self.kernel.serve({constant}, request, |call, request| async move {{ {admit} {work} }}).await")
    };
    let body = match &method.behavior {
        Behavior::Journal(_) => format!("self.kernel.serve_journal({constant}, request).await"),
        Behavior::MaxClock(_) => format!("self.kernel.serve_max_clock({constant}, request).await"),
        Behavior::Custom(_) => {
            serve(&format!("crate::{}::{function}(&call, request).await", name::ident(&service.name)))
        }
        Behavior::Create(declared) => serve(&create(source, method, declared)?),
        Behavior::Delete(delete) => {
            let id = id(method, &delete.id, &method.output())?;
            serve(&format!("call.apply_delete::<{output}>(&request.{id}).await"))
        }
        Behavior::Change(change) => serve(&change::body(source, method, change)?),
        Behavior::Get(get) => serve(&read::get(source, method, get)?),
        Behavior::List(list) => serve(&read::list(source, method, list)?),
        Behavior::Batch(batch) => serve(&batch::body(source, method, batch)?),
        Behavior::Health(_) => serve(&read::health(method)?),
        Behavior::Titles(_) => serve(&titles::body(source, method)?),
        Behavior::Watch(_) => String::new(),
    };
    writeln!(
        text,
        "async fn {function}(&self, request: ::tonic::Request<{input}>) -> Result<::tonic::Response<{output}>, ::tonic::Status> {{ {body} }}"
    )?;
    Ok(())
}

/// The name of the request's id field.
pub(crate) fn id(method: &Method, named: &str, of: &MessageDescriptor) -> Result<String, Box<dyn Error>> {
    let fallback = format!("{}_id", of.name().to_snake_case());
    let wanted = if named.is_empty() { fallback.as_str() } else { named };
    let field = method.descriptor.input().get_field_by_name(wanted).filter(name::is_string);
    let field = field.ok_or_else(|| {
        format!("{}: the request has no string field {wanted}; name the id field", method.descriptor.full_name())
    })?;
    Ok(name::field(&field))
}

fn create(source: &Source<'_>, method: &Method, declared: &Create) -> Result<String, Box<dyn Error>> {
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
            return Err(format!(
                "{place}: {} is set by the service only; the request must not carry it",
                target.name()
            )
            .into());
        }
        let clone = if declared.edit || declared.upsert.is_some() { ".clone()" } else { "" };
        writeln!(fields, "{ident}: request.{ident}{clone},", ident = name::field(&field))?;
    }
    let ownerless = aggregate.options.shared || aggregate.options.parent.is_some();
    let owner = if ownerless { String::new() } else { "owner_id: call.owner().to_owned(),".to_owned() };
    let id = upsert::id(method, aggregate, declared)?;
    let entity = format!("{} {{ {id} {owner} {fields} ..Default::default() }}", name::message(&output));
    let check = if declared.checks { check_request(&output, "None") } else { String::new() };
    let apply = upsert::apply(method, aggregate, declared)?;
    Ok(if declared.edit {
        let edit = edit("&mut entity");
        format!("{check} let mut entity = {entity}; {EDIT_CONTEXT} {edit} {}", apply("entity"))
    } else {
        format!("{check} {}", apply(&entity))
    })
}

/// The code that calls an entity's handwritten check of a request.
pub(crate) fn check_request(of: &MessageDescriptor, entity: &str) -> String {
    format!(
        "<{} as ::pavise_kernel::CheckRequest<_>>::check_request(&call, {entity}, &request).await?;",
        name::message(of)
    )
}

/// The code of an edit's context, which gives time and ids.
pub(crate) const EDIT_CONTEXT: &str = "let context = ::pavise_kernel::EditContext::of(&call);";

/// The code that calls an entity's handwritten edit.
pub(crate) fn edit(entity: &str) -> String {
    format!("::pavise_kernel::Edit::edit({entity}, &request, &context)?;")
}
