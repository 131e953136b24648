//! Creations that change the entity that is there, and ids that the caller or the owner gives.

use std::error::Error;

use pavise_contract::options::v1::Create;
use pavise_contract::{Aggregate, Method};

use crate::{edit, name};

/// The code that sets the new entity's id; empty if the kernel makes it.
pub(crate) fn id(method: &Method, aggregate: &Aggregate, create: &Create) -> Result<String, Box<dyn Error>> {
    let place = method.descriptor.full_name();
    if create.one_per_owner {
        if method.access.owner.is_empty() || aggregate.options.shared || !create.id.is_empty() {
            return Err(format!("{place}: one per owner has the id of the owner, whom the access rule names").into());
        }
        return Ok("id: call.owner().to_owned(),".to_owned());
    }
    if create.id.is_empty() {
        return Ok(String::new());
    }
    let field = method.descriptor.input().get_field_by_name(&create.id).filter(name::is_string);
    let field = field.filter(|field| !field.supports_presence());
    let field = field.ok_or_else(|| format!("{place}: the request has no text field {} for the id", create.id))?;
    let ident = name::field(&field);
    let check = format!("call.check_given_id({:?}, &request.{ident})?;", create.id);
    // Without an id, the kernel makes one. A creation that changes the entity of that id needs it.
    let needed = create.upsert.as_ref().is_some_and(|upsert| upsert.lookup == "id");
    let check = if needed { check } else { format!("if !request.{ident}.is_empty() {{ {check} }}") };
    Ok(format!("id: {{ {check} request.{ident}.clone() }},"))
}

/// The code that makes the entity of an expression, or changes the one that is there.
pub(crate) fn apply(
    method: &Method,
    aggregate: &Aggregate,
    create: &Create,
) -> Result<impl Fn(&str) -> String + use<>, Box<dyn Error>> {
    let place = method.descriptor.full_name();
    let mut code = None;
    if let Some(upsert) = &create.upsert {
        let by = &upsert.lookup;
        let named = if by == "id" {
            create.one_per_owner || !create.id.is_empty()
        } else {
            let unique = |lookup: &&_| is_unique(aggregate, lookup);
            aggregate.options.lookups.iter().filter(unique).any(|lookup| lookup.field == *by)
        };
        if !named {
            return Err(format!(
                "{place}: upsert names {by:?}, which is no unique lookup of one value, and no given id"
            )
            .into());
        }
        if upsert.set.is_empty() != upsert.action.is_empty() {
            return Err(format!("{place}: an upsert sets fields and names its journal action, or neither").into());
        }
        let sets = edit::sets(method, aggregate, &upsert.set)?;
        let known = if sets.is_empty() { "_entity" } else { "entity" };
        let action = if upsert.action.is_empty() { &create.action } else { &upsert.action };
        code = Some(format!("{by:?}, {action:?}, |{known}| {{ {sets} Ok(()) }}"));
    }
    Ok(move |entity: &str| match &code {
        Some(code) => format!("call.apply_upsert({entity}, {code}).await"),
        None => format!("call.apply_create({entity}).await"),
    })
}

fn is_unique(aggregate: &Aggregate, lookup: &pavise_contract::options::v1::Lookup) -> bool {
    lookup.unique && aggregate.lookup_is_many(&lookup.field) == Some(false)
}
