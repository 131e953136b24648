//! A declared deletion.

use std::error::Error;

use pavise_contract::Method;
use pavise_contract::options::v1::Delete;

use crate::floor::rule;
use crate::name;

/// The body of a deletion.
pub(crate) fn body(method: &Method, delete: &Delete) -> Result<String, Box<dyn Error>> {
    let id = rule::id(method, &delete.id, &method.output())?;
    Ok(format!("call.apply_delete::<{}>(&request.{id}).await", name::message(&method.output())))
}
