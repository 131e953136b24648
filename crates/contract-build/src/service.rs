//! Code for every service of the package: the constants of its calls, and its server.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::{CallerRole, ScopeAccess};
use pavise_contract::{Method, Service};

use crate::floor::{entities, rule};
use crate::name::{call_constant, short};
use crate::{Source, behaviors, mask, name, rate_limit};

/// The code for all services of the package.
pub(crate) fn code(source: &Source<'_>) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let (mut all, mut with) = (String::new(), String::new());
    for service in source.contract.services.iter().filter(|service| service.domain == source.domain) {
        let short = short(service);
        write!(with, ".with({short}Server::new(kernel))")?;
        writeln!(
            text,
            "/// What the contract says of each call of `{}`.\npub mod {}_calls {{ use super::*;",
            service.descriptor.name(),
            name::ident(&short)
        )?;
        for method in &service.methods {
            constant(&mut text, source, service, method)?;
            writeln!(all, "&{}_calls::{},", name::ident(&short), name::constant(method.descriptor.name()))?;
        }
        text.push_str("}\n");
        server(&mut text, source, service)?;
    }
    writeln!(text, "/// The calls of this domain.\npub static METHODS: &[&Method] = &[{all}];")?;
    writeln!(
        text,
        "/// The services of this domain on a kernel.\npub fn services(kernel: &Kernel) -> ::pavise_kernel::Services {{ ::pavise_kernel::Services::default(){with} }}"
    )?;
    Ok(text)
}

fn constant(text: &mut String, source: &Source<'_>, service: &Service, method: &Method) -> Result<(), Box<dyn Error>> {
    let access = &method.access;
    let realms = access.realms().map(|realm| format!("Realm::{realm:?}")).collect::<Vec<_>>().join(", ");
    let roles: String = access.roles.iter().map(role).collect();
    let rule = rule::rule(source, method)?;
    let aggregate = rule
        .aggregate
        .map_or_else(|| "None".to_owned(), |aggregate| format!("Some(&{})", entities::constant(aggregate)));
    writeln!(
        text,
        "/// {}\npub static {}: Method = Method {{ service: {:?}, journal: {:?}, domain: {:?}, rpc: {:?}, path: \"/{}/{}\", response: {:?},
            access: Access {{ public: {}, realms: &[{realms}], permission: {:?}, owner: {}, owner_only: {}, owner_admitted: {}, fresh_proof: {}, scopes: &[{}], impersonation: Impersonation::{:?}, roles: &[{roles}] }},
            reads: {}, action: {:?}, actions: &{:?}, aggregate: {aggregate}, from: &{:?}, to: &{:?}, steps: &{:?}, reasons: &{:?}, rate_limit: &[{}], event: ::pavise_kernel::table::SecurityEvent::{:?}, sends: {}, proves: {}, reveals: {} }};",
        method.comment(),
        name::constant(method.descriptor.name()),
        service.name,
        rule::journal_of(source, service, rule.aggregate)?,
        service.domain,
        method.descriptor.name(),
        service.descriptor.full_name(),
        method.descriptor.name(),
        method.output().full_name(),
        access.public,
        access.permission,
        !access.owner.is_empty(),
        access.owner_only,
        access.owner_admitted,
        access.fresh_proof,
        access.scopes.iter().map(scope).collect::<String>(),
        access.impersonation(),
        method.reads(),
        rule.action,
        rule.actions,
        rule.from,
        rule.to,
        rule.steps,
        method.reasons(),
        rate_limit::code(method)?,
        method.event,
        method.sends.is_some(),
        method.proves,
        mask::is_reveal(method),
    )?;
    Ok(())
}

fn server(text: &mut String, source: &Source<'_>, service: &Service) -> Result<(), Box<dyn Error>> {
    let short = short(service);
    writeln!(
        text,
        "/// `{}` as the contract says.\n#[derive(Debug)]\npub struct {short}Server {{ kernel: Kernel }}
        impl {short}Server {{
            /// The service on a kernel.
            pub fn new(kernel: &Kernel) -> Self {{ Self {{ kernel: kernel.clone() }} }}",
        service.descriptor.name(),
    )?;
    for method in &service.methods {
        behaviors::method(text, source, service, method, &format!("&{}", call_constant(&short, method)))?;
    }
    text.push_str("}\n");
    joined(text, service, &short)
}

/// The rule for scopes of one kind.
fn scope(scope: &ScopeAccess) -> String {
    let (kind, named) = (scope.kind(), !scope.field.is_empty());
    format!("ScopeRule {{ kind: ScopeKind::{kind:?}, named: {named}, roles: &{:?} }},", scope.roles)
}

/// A role of an access rule.
fn role(role: &CallerRole) -> String {
    let realms = role.realms().map(|realm| format!("Realm::{realm:?}")).collect::<Vec<_>>().join(", ");
    format!("Role {{ name: {:?}, realms: &[{realms}], permission: {:?} }},", role.name, role.permission)
}

/// Adds the calls of the service to those of its domain.
fn joined(text: &mut String, service: &Service, short: &str) -> Result<(), Box<dyn Error>> {
    writeln!(
        text,
        "impl ::pavise_kernel::ServeDomain for {short}Server {{
            fn join(self, services: &mut ::pavise_kernel::Services) {{
                let own = ::std::sync::Arc::new(self);"
    )?;
    for method in &service.methods {
        let (path, function) = (call_constant(short, method), name::ident(method.descriptor.name()));
        let kind = match (method.descriptor.is_client_streaming(), method.descriptor.is_server_streaming()) {
            (true, _) => "add_client_streaming",
            (false, true) => "add_streaming",
            (false, false) => "add_unary",
        };
        writeln!(
            text,
            "services.{kind}(&{path}, &own, |own, request| ::std::boxed::Box::pin(own.{function}(request)));"
        )?;
    }
    writeln!(text, "}} }}")?;
    Ok(())
}
