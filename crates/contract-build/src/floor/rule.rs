//! The rule that the envelope enforces for a call, and the parts of a body that several behaviours have.

use std::error::Error;

use heck::ToSnakeCase as _;
use pavise_contract::options::v1::Create;
use pavise_contract::{Aggregate, Behavior, Method, Service};
use prost_reflect::MessageDescriptor;

use super::entities::{self, journal};
use crate::{Source, name};

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
    let aggregate = |name: &str| entities::named(source, method, name);
    let rule = match &method.behavior {
        Behavior::Create(create) => upserted(create, written(aggregate("")?, &create.action, &create.actions)),
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
        | Behavior::Titles(_)
        | Behavior::ExportPerson(_)
        | Behavior::RedactPerson(_)
        | Behavior::ReadWorkers(_)
        | Behavior::OrderWorker(_) => written(aggregate("")?, &String::new(), &[]),
    };
    Ok(rule)
}

/// The rule of a creation: an upsert is allowed where a change is.
fn upserted<'a>(create: &Create, rule: Rule<'a>) -> Rule<'a> {
    let Some(upsert) = &create.upsert else { return rule };
    let mut actions = rule.actions;
    actions.extend(Some(upsert.action.clone()).filter(|action| !action.is_empty()));
    Rule { from: allowed(rule.aggregate, &[]), actions, ..rule }
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

/// The journal of a call: the service's own. A service without one uses the journal of the call's aggregate, or of the
/// first aggregate in the service's calls.
pub(crate) fn journal_of<'a>(
    source: &'a Source<'_>,
    service: &'a Service,
    aggregate: Option<&Aggregate>,
) -> Result<&'a str, Box<dyn Error>> {
    if service.methods.iter().any(|method| matches!(method.behavior, Behavior::Journal(_))) {
        return Ok(&service.name);
    }
    if let Some(aggregate) = aggregate {
        return journal(source, aggregate);
    }
    for method in &service.methods {
        if let Some(aggregate) = rule(source, method)?.aggregate {
            return journal(source, aggregate);
        }
    }
    Ok(&service.name)
}

/// The name of the request's id field.
pub(crate) fn id(method: &Method, named: &str, of: &MessageDescriptor) -> Result<String, Box<dyn Error>> {
    let fallback = format!("{}_id", of.name().to_snake_case());
    let wanted = if named.is_empty() { fallback.as_str() } else { named };
    let field = method.descriptor.input().get_field_by_name(wanted).filter(name::is_string);
    let field = field.ok_or_else(|| {
        format!(
            "{}: the request has no text field {wanted}: name the field with the id in `id`",
            method.descriptor.full_name()
        )
    })?;
    Ok(name::field(&field))
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
