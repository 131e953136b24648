//! A change whose request names the status afterwards.

use pavise_contract::Method;
use pavise_contract::options::v1::Change;
use prost_reflect::FieldDescriptor;

use super::{Edit, Written};
use crate::name;

/// Checks that a change with `to_field` has pairs of statuses, and that only such a change has actions of its steps.
pub(crate) fn check(method: &Method, change: &Change) -> Result<(), &'static str> {
    if change.to_field.is_empty() {
        return match change.steps.iter().all(|step| step.action.is_empty()) {
            true => Ok(()),
            false => Err("a step has an `action`, which is for a change with `to_field` only: leave it out"),
        };
    }
    if !change.to.is_empty() {
        return Err("it has `to` and `to_field`: keep one of them");
    }
    if method.pairs().next().is_none() {
        return Err("`to_field` needs `steps`: name the pairs of statuses that the call leads between");
    }
    Ok(())
}

/// The code that sets the status.
pub(crate) fn set(edit: &Edit<'_>, named: &str) -> Written {
    Ok(format!("entity.status = request.{};\n", name::field(&field(edit, named)?)))
}

/// The code of the status that the request names, with the actions of the steps.
pub(crate) fn argument(edit: &Edit<'_>, method: &Method, change: &Change) -> Written {
    let field = field(edit, &change.to_field)?;
    let mut actions = String::new();
    for step in change.steps.iter().filter(|step| step.aggregate.is_empty() && !step.action.is_empty()) {
        for (from, to) in method.pairs().filter(|(from, to)| is_of(&step.from, from) && is_of(&step.to, to)) {
            actions.push_str(&format!("({from:?}, {to:?}, {:?}),", step.action));
        }
    }
    Ok(format!("::pavise_kernel::ToStatus {{ status: request.{}, actions: &[{actions}] }}, ", name::field(&field)))
}

fn is_of(statuses: &[String], status: &str) -> bool {
    statuses.iter().any(|one| one == status)
}

/// The request's field, which has the type of the entity's status.
fn field(edit: &Edit<'_>, named: &str) -> Result<FieldDescriptor, Box<dyn std::error::Error>> {
    let status = edit.output.get_field(3).ok_or("no status")?;
    let found = edit.input.get_field_by_name(named).filter(|field| !field.is_list() && field.kind() == status.kind());
    found.ok_or_else(|| format!("{}: the request has no status {named} of {}", edit.place, edit.output.name()).into())
}
