//! The call that answers a service's health.

use std::error::Error;

use pavise_contract::Method;
use prost_reflect::Kind;

use crate::name;

/// The body of a call that answers the service's health.
pub(crate) fn body(method: &Method) -> Result<String, Box<dyn Error>> {
    let output = method.output();
    let has = |field: &str, kind: Kind| {
        output.get_field_by_name(field).is_some_and(|field| field.kind() == kind && !field.is_list())
    };
    if !has("status", Kind::String) || !has("max_clock", Kind::Int64) {
        return Err(
            format!("{}: health answers a text status and an int64 max_clock", method.descriptor.full_name()).into()
        );
    }
    Ok(format!(
        "let _ = request; let head = call.kernel().store().head(call.method().service).await?; Ok({} {{ status: \"UP\".to_owned(), max_clock: head.clock, ..Default::default() }})",
        name::message(&output)
    ))
}
