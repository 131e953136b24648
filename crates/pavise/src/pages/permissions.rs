//! `docs/permissions.md`: who may make each call.

use std::fmt::Write as _;

use pavise_contract::{Contract, Method, options};
use pavise_kernel::access::realm_name;

use super::page::{Page, code, domains, table};

/// The page.
pub(super) fn page(contract: &Contract) -> Page {
    let text = "Who may make each call. Realms User and GroupAdmin have what is theirs: the request's owner field must be the\ncaller's own identity, its group field a group that the caller administers, or has one of the named roles in. Internal, Machine and Partner need the\npermission in their token besides; where it says *only*, the owner alone may call, whatever others hold. *public* admits callers without a token. Callers who act for another may read;\nthey may write where their impersonation allows it, unless the last column says otherwise. GroupAdmin and Partner see of an entity with scopes of their realm only what lies in scopes in which they have an\nadmitted role: the administrator's, where none is named.\n";
    let mut parts = Vec::new();
    for (domain, services) in domains(contract) {
        let mut part = String::new();
        for service in services {
            let rows = service.methods.iter().map(|method| {
                vec![
                    method.descriptor.name().to_owned(),
                    admitted(method),
                    code(&method.access.permission),
                    owner(method),
                    impersonation(method).to_owned(),
                ]
            });
            let head = ["call", "admits", "permission", "owner or scope", "impersonated"];
            let _ = write!(part, "\n## {}\n\n{}", service.name, table(&head, rows));
        }
        parts.push((domain.to_owned(), part));
    }
    Page { name: "permissions", title: "Permissions", text: text.to_owned(), parts }
}

fn owner(method: &Method) -> String {
    let access = &method.access;
    let only = if access.owner_only { "*only*" } else { "" };
    let scopes: Vec<String> = access.scopes.iter().map(scope).collect();
    [only, &code(&access.owner), &scopes.join(" ")].join(" ").trim().to_owned()
}

/// The request field with a scope, and the roles that are admitted if they are not the administrator's alone.
fn scope(scope: &options::v1::ScopeAccess) -> String {
    let kind = scope.kind().spelling().to_lowercase();
    let named = if scope.field.is_empty() { kind } else { code(&scope.field) };
    if scope.roles.is_empty() { named } else { format!("{named} ({})", scope.roles.join(", ")) }
}

fn admitted(method: &Method) -> String {
    let public = method.access.public.then_some("*public*");
    public.into_iter().chain(method.access.realms().map(realm_name)).collect::<Vec<_>>().join(", ")
}

fn impersonation(method: &Method) -> &'static str {
    match method.access.impersonation() {
        options::v1::Impersonation::Unspecified => "",
        options::v1::Impersonation::Deny => "never",
        options::v1::Impersonation::Allow => "always",
        options::v1::Impersonation::Notify => "always, and the subject is told",
    }
}
