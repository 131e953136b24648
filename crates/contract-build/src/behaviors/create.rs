//! A declared creation: the new entity, made of the request.

mod upsert;

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::Create;
use pavise_contract::{Method, is_output_only, same_type};

use crate::floor::fields::HEAD;
use crate::floor::rule::{EDIT_CONTEXT, check_request, edit};
use crate::{Source, name};

/// The body of a creation.
pub(crate) fn body(source: &Source<'_>, method: &Method, declared: &Create) -> Result<String, Box<dyn Error>> {
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
                "{place}: the request has {}, which is set by the service only: leave it out",
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
