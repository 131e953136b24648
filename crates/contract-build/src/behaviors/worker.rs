//! The calls that answer the domain's workers, and ask one to do something.

use std::error::Error;

use pavise_contract::{Behavior, Method};

use super::person::{check, find_path};
use crate::Source;

/// The constant with the paths of both calls; `None` for a domain without them.
pub(crate) fn calls(source: &Source<'_>) -> String {
    let read = find_path(source, |behavior| matches!(behavior, Behavior::ReadWorkers(_)));
    let order = find_path(source, |behavior| matches!(behavior, Behavior::OrderWorker(_)));
    let value = match read.zip(order) {
        Some((read, order)) => format!(
            "Some(&::pavise_kernel::table::WorkerCalls {{ domain: {:?}, read: {read:?}, order: {order:?} }})",
            source.domain
        ),
        None => "None".to_owned(),
    };
    format!(
        "/// The calls about the workers.\npub static WORKER_CALLS: Option<&::pavise_kernel::table::WorkerCalls> = {value};\n"
    )
}

/// The body of such a call, which the kernel's function of that name makes for all workers of the domain.
pub(crate) fn body(source: &Source<'_>, method: &Method, name: &str, function: &str) -> Result<String, Box<dyn Error>> {
    check(method, name, function)?;
    Ok(format!("call.{function}({:?}, &request).await", source.domain))
}
