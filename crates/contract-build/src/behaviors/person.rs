//! The calls that answer and erase what the domain has of one person.

use std::error::Error;

use pavise_contract::Method;
use pavise_contract::options::v1::Realm;

/// The body of such a call, which the kernel's function of that name makes for all tables of the domain.
pub(crate) fn body(method: &Method, name: &str, function: &str) -> Result<String, Box<dyn Error>> {
    let place = method.descriptor.full_name();
    let shared = |kind: &str| format!("pavise.common.v1.{name}{kind}");
    if method.descriptor.input().full_name() != shared("Request") || method.output().full_name() != shared("Response") {
        return Err(format!("{place}: {function} takes a {name}Request and answers a {name}Response").into());
    }
    if !method.access.realms().eq([Realm::Machine]) || method.access.public {
        return Err(format!("{place}: {function} is for programs only: say `realms: [REALM_MACHINE]`").into());
    }
    if !method.bindings.is_empty() {
        return Err(format!("{place}: {function} has no path: leave the binding out").into());
    }
    Ok(format!("call.{function}(TABLES, &request).await"))
}
