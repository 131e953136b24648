//! `pavise contract`: the tables of the contract, for people and for scripts.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Subcommand, ValueEnum};
use comfy_table::{ContentArrangement, Table, presets};
use pavise_contract::{Contract, spelling};
use prost_reflect::{DescriptorPool, EnumDescriptor, Kind, MessageDescriptor};

/// The table to print.
#[derive(Debug, Clone, Subcommand)]
pub enum What {
    /// Every REST call: service, RPC, method, path, who may call, and how it is written (declared, edit, custom); for
    /// people, also how many of each service's calls are of each kind
    Calls(As),
    /// Every enumeration value with its documented spelling
    Enums(As),
    /// The callers who may make each call
    Permissions(As),
    /// From which status each call is allowed, and where it leads
    Lifecycles(As),
    /// Every error reason with an example
    Reasons(As),
    /// Every option of the contract, with its meaning and its first use, as docs/contract-options.md has them
    Options,
    /// Changes that loosen or drop parts of an earlier contract: looser access, missing transitions and actions,
    /// statuses that are no longer terminal, fields that are no longer hidden. Exits with an error unless the notes
    /// name every such change
    Breaking {
        /// The earlier contract, as `buf build` writes it
        #[arg(long, default_value = "proto/released.binpb")]
        against: PathBuf,
        /// A file with a line for each change that is meant: its text as printed here, and why
        #[arg(long, default_value = "docs/contract-changes.md")]
        notes: PathBuf,
        /// Print every change and succeed, noted or not: for a release, which forgives them
        #[arg(long)]
        forgive: bool,
    },
    /// The OpenAPI document of the REST facade, as the server has it at /openapi.json
    Openapi {
        /// Only this service
        #[arg(long)]
        service: Option<String>,
        /// Write it into a file instead
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// The SQL of an aggregate's tables for both engines, to begin a migration with
    Migration {
        /// The aggregate by the name of its message: Order
        entity: String,
        /// Only what a lookup adds, by its path in the proto: offers.offer_id
        #[arg(long)]
        lookup: Option<String>,
    },
    /// Write the documents that are made from the contract into a folder
    Pages {
        /// The folder
        folder: PathBuf,
    },
}

/// How a table is printed.
#[derive(Debug, Clone, Copy, Args)]
pub struct As {
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A form of a table.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Table,
    /// Tab-separated, with a header line
    Tsv,
    /// A list of objects
    Json,
    /// A Markdown table
    Md,
}

/// A table as text.
///
/// # Errors
/// When the pages cannot be written.
pub fn render(pool: &DescriptorPool, contract: &Contract, what: &What) -> anyhow::Result<String> {
    let ((head, rows), form) = match what {
        What::Calls(form) => (calls(contract), form),
        What::Enums(form) => (enums(pool, contract), form),
        What::Permissions(form) => (permissions(contract), form),
        What::Lifecycles(form) => (lifecycles(contract), form),
        What::Reasons(form) => (reasons(contract), form),
        What::Options => return Ok(crate::pages::options::text(pool)),
        What::Pages { folder } => return pages(pool, contract, folder),
        What::Openapi { service, out } => return crate::openapi::print(service.as_deref(), out.as_deref()),
        What::Migration { entity, lookup } => return crate::migration::print(entity, lookup.as_deref()),
        What::Breaking { against, notes, forgive } => return breaking(contract, against, notes, *forgive),
    };
    let format = form.format;
    let mut text = write(&head, &rows, format);
    if matches!((what, format), (What::Calls(_), Format::Table | Format::Md)) {
        let (head, rows) = shares(contract);
        text.push('\n');
        text.push_str(&write(&head, &rows, format));
    }
    Ok(text)
}

/// The changes without a note, as an error; else all of them.
fn breaking(contract: &Contract, against: &Path, notes: &Path, forgive: bool) -> anyhow::Result<String> {
    let bytes = std::fs::read(against).with_context(|| format!("{} cannot be read", against.display()))?;
    let before = DescriptorPool::decode(bytes.as_slice()).context("the earlier contract cannot be read")?;
    let before = match Contract::read(&before) {
        Ok(before) => before,
        // With other numbers of options nothing can be compared, which a release alone forgives.
        Err(error) if forgive => return Ok(format!("the rules of the earlier contract are not compared: {error}\n")),
        Err(error) => return Err(error).context("the earlier contract is none"),
    };
    let noted = std::fs::read_to_string(notes).unwrap_or_default();
    let changes = pavise_contract::breaking(&before, contract);
    let silent: Vec<String> =
        changes.iter().map(ToString::to_string).filter(|change| !noted.contains(change.as_str())).collect();
    anyhow::ensure!(forgive || silent.is_empty(), "{} says nothing of\n{}", notes.display(), silent.join("\n"));
    Ok(changes.iter().map(|change| format!("{change}\n")).collect())
}

fn pages(pool: &DescriptorPool, contract: &Contract, folder: &Path) -> anyhow::Result<String> {
    let mut said = String::new();
    for (name, text) in crate::pages::all(pool, contract) {
        let path = folder.join(name);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))?;
        said.push_str(&format!("{}\n", path.display()));
    }
    Ok(said)
}

type Rows = (Vec<&'static str>, Vec<Vec<String>>);

fn calls(contract: &Contract) -> Rows {
    let mut rows = Vec::new();
    for (service, method) in contract.methods() {
        for binding in &method.bindings {
            let row = [
                &service.name,
                method.descriptor.name(),
                binding.verb.as_str(),
                &binding.path,
                &audience(method),
                kind(method),
            ];
            rows.push(row.map(str::to_owned).to_vec());
        }
    }
    (vec!["service", "rpc", "method", "path", "audience", "kind"], rows)
}

/// How a call is written: declared in the contract alone, with a pure edit or a check in Rust, or custom.
fn kind(method: &pavise_contract::Method) -> &'static str {
    match method.declared() {
        false => "custom",
        true if method.edits() || method.checks() => "edit",
        true => "declared",
    }
}

/// The calls of some methods, counted by how they are written.
#[derive(Default)]
struct Count {
    declared: usize,
    edit: usize,
    custom: usize,
    /// Declared calls and edits whose entity has handwritten consequences.
    followed: usize,
}

impl Count {
    fn of<'m>(contract: &Contract, methods: impl Iterator<Item = &'m pavise_contract::Method>) -> Self {
        let mut count = Self::default();
        for method in methods {
            match kind(method) {
                "declared" => count.declared += 1,
                "edit" => count.edit += 1,
                _ => count.custom += 1,
            }
            count.followed += usize::from(method.declared() && followed(contract, method));
        }
        count
    }

    fn row(&self, domain: &str, service: &str) -> Vec<String> {
        let all = self.declared + self.edit + self.custom;
        let percent = ((self.declared + self.edit) * 100).checked_div(all).unwrap_or_default();
        let counts = [self.declared, self.edit, self.custom, all].map(|count| count.to_string());
        let names = [domain.to_owned(), service.to_owned()];
        names.into_iter().chain(counts).chain([format!("{percent} %"), self.followed.to_string()]).collect()
    }
}

/// The calls of each service by how they are written, with a line for each domain and for all.
fn shares(contract: &Contract) -> Rows {
    let mut rows = Vec::new();
    let mut domains: Vec<&String> = Vec::new();
    for service in &contract.services {
        if !domains.contains(&&service.domain) {
            domains.push(&service.domain);
        }
    }
    for domain in domains {
        let services = || contract.services.iter().filter(|service| service.domain == *domain);
        for service in services() {
            rows.push(Count::of(contract, service.methods.iter()).row(domain, &service.name));
        }
        rows.push(Count::of(contract, services().flat_map(|service| &service.methods)).row(domain, "(all)"));
    }
    let all = contract.services.iter().flat_map(|service| &service.methods);
    rows.push(Count::of(contract, all).row("(all)", "(all)"));
    (vec!["domain", "service", "declared", "edit", "custom", "calls", "share", "with consequences"], rows)
}

/// Whether the call writes an entity whose writes have handwritten consequences.
fn followed(contract: &Contract, method: &pavise_contract::Method) -> bool {
    !method.reads() && contract.aggregates.get(&method.about()).is_some_and(|aggregate| aggregate.options.consequences)
}

fn audience(method: &pavise_contract::Method) -> String {
    let mut admitted: Vec<&str> = if method.access.public { vec!["public"] } else { Vec::new() };
    admitted.extend(method.access.realms().map(pavise_kernel::access::realm_name));
    admitted.join(" ")
}

fn enums(pool: &DescriptorPool, contract: &Contract) -> Rows {
    let owners = owners(contract);
    let mut rows = Vec::new();
    let spoken = |one: &EnumDescriptor| {
        one.package_name().starts_with("pavise.") && !one.package_name().starts_with("pavise.contract")
    };
    for descriptor in pool.all_enums().filter(spoken).filter(|one| one.name() != "ErrorReason") {
        let domain = pavise_contract::domain_of(descriptor.package_name());
        let service = owners.get(descriptor.full_name()).filter(|_| domain != "common").unwrap_or(&domain);
        for value in descriptor.values() {
            if let Some(spelled) = spelling::of(&value) {
                rows.push(vec![service.clone(), descriptor.name().to_owned(), spelled, value.number().to_string()]);
            }
        }
    }
    (vec!["service", "enum", "spelling", "number"], rows)
}

/// The service of each enumeration: the one whose entities it describes, else the first whose calls use it.
fn owners(contract: &Contract) -> BTreeMap<String, String> {
    let mut owners = BTreeMap::new();
    let mut claim = |names: Vec<String>, service: &str| {
        for name in names {
            owners.entry(name).or_insert_with(|| service.to_owned());
        }
    };
    let order = crate::domains::precedence();
    let mut tables: Vec<_> = crate::domains::tables().map(|entry| entry.table).collect();
    tables.sort_by_key(|table| order.iter().position(|service| service == table.journal));
    let kept = || tables.iter().filter_map(|table| Some((contract.aggregates.get(table.message)?, table.journal)));
    for (aggregate, journal) in kept() {
        let direct =
            aggregate.descriptor.fields().filter_map(|field| Some(field.kind().as_enum()?.full_name().to_owned()));
        let actions = format!("{}.{}", aggregate.descriptor.package_name(), aggregate.options.actions);
        claim(direct.chain([actions]).collect(), journal);
    }
    for (aggregate, journal) in kept() {
        claim(used(&aggregate.descriptor, &mut Vec::new()), journal);
    }
    for (service, method) in contract.methods() {
        claim(used(&method.descriptor.input(), &mut Vec::new()), &service.name);
        claim(used(&method.output(), &mut Vec::new()), &service.name);
    }
    owners
}

/// The enumerations that a message uses, in itself or below.
fn used(message: &MessageDescriptor, seen: &mut Vec<String>) -> Vec<String> {
    if seen.iter().any(|name| name == message.full_name()) {
        return Vec::new();
    }
    seen.push(message.full_name().to_owned());
    let mut found = Vec::new();
    for field in message.fields() {
        match field.kind() {
            Kind::Enum(descriptor) => found.push(descriptor.full_name().to_owned()),
            Kind::Message(inner) => found.extend(used(&inner, seen)),
            _ => {}
        }
    }
    found
}

fn permissions(contract: &Contract) -> Rows {
    let row = |(service, method): (&pavise_contract::Service, &pavise_contract::Method)| {
        let access = &method.access;
        let only = if access.owner_only { "only" } else { "" };
        let scopes = access.scopes.iter().map(|scope| scope.field.as_str());
        let parts = [only, &access.owner].into_iter().chain(scopes).filter(|part| !part.is_empty());
        let owner = parts.collect::<Vec<_>>().join(" ");
        vec![
            service.name.clone(),
            method.descriptor.name().to_owned(),
            audience(method),
            access.permission.clone(),
            owner,
        ]
    };
    (vec!["service", "rpc", "realms", "permission", "owner"], contract.methods().map(row).collect())
}

fn lifecycles(contract: &Contract) -> Rows {
    let mut rows = Vec::new();
    for (service, method) in contract.methods().filter(|(_, method)| !method.reads()) {
        let about = method.about();
        let steps: Vec<_> = method.leads(contract).into_iter().filter(|step| step.aggregate == about).collect();
        let mut from = method.from(contract);
        if steps.iter().any(|step| step.from.is_none()) {
            from.insert(0, "–".to_owned());
        }
        let mut to: Vec<&str> = Vec::new();
        for status in steps.iter().map(|step| step.to.as_deref().unwrap_or("–")) {
            if !to.contains(&status) {
                to.push(status);
            }
        }
        let action = method.actions().first().copied().unwrap_or_default().to_owned();
        rows.push(vec![
            service.name.clone(),
            method.descriptor.name().to_owned(),
            from.join(" "),
            to.join(" "),
            action,
        ]);
    }
    (vec!["service", "rpc", "from", "to", "action"], rows)
}

fn reasons(contract: &Contract) -> Rows {
    let row = |reason: &pavise_contract::Reason| {
        vec![
            reason.domain.clone(),
            reason.name.clone(),
            reason.code.clone(),
            reason.comment.clone(),
            reason.example.clone(),
        ]
    };
    (vec!["domain", "reason", "code", "meaning", "example"], contract.reasons.iter().map(row).collect())
}

fn write(head: &[&str], rows: &[Vec<String>], format: Format) -> String {
    let lines = |lines: Vec<String>| lines.join("\n") + "\n";
    match format {
        Format::Tsv => {
            let head = std::iter::once(head.join("\t"));
            lines(head.chain(rows.iter().map(|row| row.join("\t"))).collect())
        }
        Format::Md => {
            let line = |cells: Vec<String>| {
                format!("| {} |", cells.iter().map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>().join(" | "))
            };
            let rule = format!("|{}", " --- |".repeat(head.len()));
            let head = line(head.iter().map(|cell| (*cell).to_owned()).collect());
            lines([head, rule].into_iter().chain(rows.iter().cloned().map(line)).collect())
        }
        Format::Json => {
            let object = |row: &Vec<String>| {
                head.iter()
                    .zip(row)
                    .map(|(name, cell)| ((*name).to_owned(), serde_json::Value::from(cell.clone())))
                    .collect()
            };
            let list: Vec<serde_json::Map<String, serde_json::Value>> = rows.iter().map(object).collect();
            serde_json::to_string_pretty(&list).unwrap_or_default() + "\n"
        }
        Format::Table => {
            let mut table = Table::new();
            table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
            // A pipe has no width.
            if !std::io::stdout().is_terminal() {
                table.set_width(160);
            }
            table.set_header(head);
            for row in rows {
                table.add_row(row);
            }
            format!("{table}\n{} rows\n", rows.len())
        }
    }
}
