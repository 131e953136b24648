//! The documents that are made from the contract and the settings: `docs/{errors,permissions,lifecycles,events}.md` with a part
//! in `docs/<domain>/` for each domain, and `docs/configuration.md`. `scripts/documents` writes them; a test compares them with
//! the committed ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use clap::Args as _;
use pavise_contract::{Aggregate, Contract, Method, Reason, Service, comment_of, options, spelling};
use pavise_kernel::access::realm_name;
use prost_reflect::DescriptorPool;

use crate::settings::Given;

mod lifecycles;

/// The text after the title of every page.
const MADE: &str = "Made by `scripts/documents`; do not edit.\n";

/// Every page: its file below `docs/`, and its text.
#[must_use]
pub fn all(pool: &DescriptorPool, contract: &Contract) -> Vec<(String, String)> {
    let divided = [errors(contract), permissions(contract), lifecycles::page(contract), events(pool, contract)];
    let mut all: Vec<(String, String)> = divided.into_iter().flat_map(Page::files).collect();
    all.push(("configuration.md".to_owned(), configuration()));
    all
}

/// A page with a part for each domain, which is a file in the domain's own folder.
struct Page {
    /// Its file: `errors`.
    name: &'static str,
    title: &'static str,
    /// The text before the list of the parts.
    text: String,
    /// The parts, by domain.
    parts: Vec<(String, String)>,
}

impl Page {
    fn files(self) -> Vec<(String, String)> {
        let Self { name, title, text, parts } = self;
        let list: String = parts.iter().map(|(domain, _)| format!("- [{domain}]({domain}/{name}.md)\n")).collect();
        let whole = format!("# {title}\n\n{MADE}\n{text}\n## By domain\n\n{list}");
        let part = |(domain, part): (String, String)| {
            (
                format!("{domain}/{name}.md"),
                format!("# {title} of {domain}\n\n{MADE}\nSee [{title}](../{name}.md).\n{part}"),
            )
        };
        std::iter::once((format!("{name}.md"), whole)).chain(parts.into_iter().map(part)).collect()
    }
}

/// A Markdown table. A cell keeps no line break, and its pipes are escaped.
fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut out = format!("| {} |\n|{}\n", head.join(" | "), " --- |".repeat(head.len()));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    out
}

/// The services by domain, both in the order of the contract.
fn domains(contract: &Contract) -> Vec<(&str, Vec<&Service>)> {
    let mut found: Vec<(&str, Vec<&Service>)> = Vec::new();
    for service in &contract.services {
        match found.iter_mut().find(|(domain, _)| *domain == service.domain) {
            Some((_, services)) => services.push(service),
            None => found.push((&service.domain, vec![service])),
        }
    }
    found.sort_by_key(|(domain, _)| *domain);
    found
}

fn errors(contract: &Contract) -> Page {
    let mut text = "Every refused call is answered in one shape: a canonical code, a message for people, and details. The reason in\n`ErrorInfo` is what a program should look at.\n\n```json\n{\n  \"code\": 409,\n  \"status\": \"FAILED_PRECONDITION\",\n  \"message\": \"PurchaseOrder is not allowed while the order is PROVISIONED\",\n  \"details\": [\n    {\"@type\": \"type.googleapis.com/google.rpc.ErrorInfo\", \"reason\": \"STATUS_NOT_ALLOWED\", \"domain\": \"orders\", \"metadata\": {\"status\": \"PROVISIONED\"}}\n  ]\n}\n```\n".to_owned();
    text.push_str("\nThe contract lists the reasons of each call (`reasons`). A call may also answer the shared ones that can happen to it; OpenAPI\nlists both for each call.\n");
    let mut domains: Vec<&String> = contract.reasons.iter().map(|reason| &reason.domain).collect();
    domains.sort_unstable();
    domains.dedup();
    let mut parts = Vec::new();
    for domain in domains {
        let of = contract.reasons.iter().filter(|reason| reason.domain == *domain);
        let row = |reason: &Reason| [&reason.name, &reason.code, &reason.comment, &reason.example].map(Clone::clone);
        if domain == "common" {
            let reasons = table(&["reason", "code", "meaning", "example"], of.map(|reason| row(reason).to_vec()));
            let _ = write!(text, "\n## Of every service\n\n{reasons}");
        } else {
            let rows = of.map(|reason| row(reason).into_iter().chain([answering(contract, reason)]).collect());
            let reasons = table(&["reason", "code", "meaning", "example", "calls"], rows);
            parts.push((domain.clone(), format!("\n{reasons}")));
        }
    }
    Page { name: "errors", title: "Errors", text, parts }
}

/// The calls that may answer a reason. Workers alone give one without any.
fn answering(contract: &Contract, reason: &Reason) -> String {
    let own = contract.methods().filter(|(service, _)| service.domain == reason.domain);
    let calls = own.filter(|(_, method)| method.reasons().contains(&reason.name));
    calls.map(|(_, method)| method.descriptor.name()).collect::<Vec<_>>().join(", ")
}

fn permissions(contract: &Contract) -> Page {
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

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
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

fn events(pool: &DescriptorPool, contract: &Contract) -> Page {
    let text = "What each journal says. `GET …/journal?clock=N` answers the entries above a clock in order, without gap, each with the\nentity as it is after the change.\n";
    let tables: Vec<_> = crate::domains::tables().map(|entry| entry.table).collect();
    let mut parts = Vec::new();
    for (domain, services) in domains(contract) {
        let mut part = String::new();
        for service in services {
            let kept: Vec<&Aggregate> = tables
                .iter()
                .filter(|table| table.journal == service.name)
                .filter_map(|table| contract.aggregates.get(table.message))
                .collect();
            if kept.is_empty() {
                continue;
            }
            let names: Vec<String> =
                kept.iter().map(|aggregate| format!("`{}`", aggregate.descriptor.name())).collect();
            let _ = write!(part, "\n## {}\n\nEntities: {}.\n\n", service.name, names.join(", "));
            part.push_str(&table(&["action", "meaning", "written by"], actions(pool, contract, &kept)));
        }
        parts.push((domain.to_owned(), part));
    }
    Page { name: "events", title: "Events", text: text.to_owned(), parts }
}

fn actions(pool: &DescriptorPool, contract: &Contract, kept: &[&Aggregate]) -> Vec<Vec<String>> {
    let name = |aggregate: &Aggregate| format!("{}.{}", aggregate.descriptor.package_name(), aggregate.options.actions);
    let enumerations: BTreeSet<String> = kept.iter().map(|aggregate| name(aggregate)).collect();
    let mut rows = Vec::new();
    for enumeration in enumerations {
        let of_it: Vec<&Aggregate> = kept.iter().copied().filter(|aggregate| name(aggregate) == enumeration).collect();
        let mut writers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (_, method) in contract.methods() {
            for action in written(method, &of_it) {
                writers.entry(action).or_default().insert(method.descriptor.name());
            }
        }
        for value in pool.get_enum_by_name(&enumeration).iter().flat_map(|one| one.values().collect::<Vec<_>>()) {
            let Some(spelled) = spelling::of(&value) else { continue };
            let by = writers.get(spelled.as_str()).into_iter().flatten().copied().collect::<Vec<_>>().join(", ");
            rows.push(vec![spelled, comment_of(&value), by]);
        }
    }
    rows
}

/// The actions of these aggregates that a call may write.
fn written<'a>(method: &'a Method, kept: &[&Aggregate]) -> Vec<&'a str> {
    let about = method.about();
    let mine = kept.iter().any(|aggregate| aggregate.descriptor.full_name() == about);
    if mine { method.actions() } else { Vec::new() }
}

fn configuration() -> String {
    let mut page = format!("# Configuration\n\n{MADE}\n");
    page.push_str(
        "What `pavise serve` is told: by flag, by environment variable, or in a TOML file (`--config`) under the flag's name,\nhyphens and all: `max-body = 1048576`. What may be given several times is a list, `only = [\"orders\", \"catalog\"]`. A flag\nbeats the environment, and that beats the file.\n",
    );
    let command = Given::augment_args(clap::Command::new("serve"));
    let mut sections: Vec<(String, Vec<Vec<String>>)> = Vec::new();
    for argument in command.get_arguments() {
        let Some(flag) = argument.get_long() else { continue };
        let heading = argument.get_help_heading().unwrap_or("Others").to_owned();
        let value = argument.get_value_names().into_iter().flatten().map(|name| format!(" {name}")).collect::<String>();
        let variable = argument.get_env().map(|name| code(&name.to_string_lossy())).unwrap_or_default();
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let row = vec![format!("`--{flag}{value}`"), variable, help.replace('<', "&lt;")];
        match sections.iter_mut().find(|(name, _)| *name == heading) {
            Some((_, rows)) => rows.push(row),
            None => sections.push((heading, vec![row])),
        }
    }
    for (heading, rows) in sections {
        let _ = write!(page, "\n## {heading}\n\n{}", table(&["flag", "environment", "meaning"], rows));
    }
    page
}
