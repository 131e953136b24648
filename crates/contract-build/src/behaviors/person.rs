//! The calls that answer and erase what the domain has of one person.

use std::error::Error;

use pavise_contract::options::v1::Realm;
use pavise_contract::{Behavior, Method};

use crate::Source;

/// The constant with the paths of both calls; `None` for a domain without them.
pub(crate) fn calls(source: &Source<'_>) -> String {
    let export = find_path(source, |behavior| matches!(behavior, Behavior::ExportPerson(_)));
    let redact = find_path(source, |behavior| matches!(behavior, Behavior::RedactPerson(_)));
    let value = match export.zip(redact) {
        Some((export, redact)) => format!(
            "Some(&::pavise_kernel::table::PersonCalls {{ domain: {:?}, export: {export:?}, redact: {redact:?} }})",
            source.domain
        ),
        None => "None".to_owned(),
    };
    format!(
        "/// The calls about the data of one person.\npub static PERSON_CALLS: Option<&::pavise_kernel::table::PersonCalls> = {value};\n"
    )
}

/// The gRPC path of the domain's call with that behaviour, if it has one.
pub(super) fn find_path(source: &Source<'_>, is_wanted: fn(&Behavior) -> bool) -> Option<String> {
    let mut own = source.contract.methods().filter(|(service, _)| service.domain == source.domain);
    let (service, method) = own.find(|(_, method)| is_wanted(&method.behavior))?;
    Some(format!("/{}/{}", service.descriptor.full_name(), method.descriptor.name()))
}

/// The body of such a call, which the kernel's function of that name makes for all tables of the domain.
pub(crate) fn body(method: &Method, name: &str, function: &str) -> Result<String, Box<dyn Error>> {
    check(method, name, function)?;
    Ok(format!("call.{function}(TABLES, &request).await"))
}

/// Checks that a call with shared messages, `NameRequest` and `NameResponse`, is for programs alone, and has no path.
pub(super) fn check(method: &Method, name: &str, function: &str) -> Result<(), Box<dyn Error>> {
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
    Ok(())
}
