//! Constants for names that Rust would otherwise repeat as string literals. The domain gets its journal actions,
//! lookups, journal feeds and roles. A client crate has the feeds, the actions and the spellings of enumerations.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;

use heck::ToSnakeCase as _;
use pavise_contract::{Behavior, Contract, spelling};
use prost_reflect::DescriptorPool;

use crate::floor::entities;
use crate::{Source, name};

/// Constants by module.
type Modules = BTreeMap<String, BTreeMap<String, String>>;

/// The constants of the domain. Those of its peers are in their client crates.
pub(crate) fn code(source: &Source<'_>, peers: &[String]) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    shared(&mut text, source, peers)?;
    modules(&mut text, "The lookups of this domain's aggregates.", "lookups", &lookups_of(source), &[])?;
    text.push_str("/// The roles that access rules of this domain name.\npub mod roles {\n");
    for role in roles_of(source) {
        writeln!(text, "/// A role.\npub const {role}: &str = {role:?};")?;
    }
    text.push_str("}\n");
    Ok(text)
}

/// The constants of a client crate, and the spellings of the domain's enumerations.
pub(crate) fn of_client(source: &Source<'_>) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for descriptor in source.pool.all_enums().filter(|descriptor| descriptor.package_name() == source.package) {
        text.push_str(&spelling::code(&descriptor, &name::enumeration(&descriptor)));
    }
    shared(&mut text, source, &[])?;
    Ok(text)
}

/// The feeds and the actions of the domain's journals, with those of the peers.
fn shared(text: &mut String, source: &Source<'_>, peers: &[String]) -> Result<(), Box<dyn Error>> {
    text.push_str("/// The journals of this domain and of its peers, as workers read them.\npub mod feeds {\n");
    for peer in peers {
        writeln!(text, "pub use ::pavise_{peer}_client::feeds::*;")?;
    }
    for (constant, feed) in feeds_of(source.contract) {
        writeln!(text, "/// A journal.\npub const {constant}: ::pavise_kernel::worker::JournalFeed = {feed};")?;
    }
    text.push_str("}\n");
    let actions = actions_of(source.contract, source.pool);
    modules(text, "The journal actions of this domain and of its peers.", "actions", &actions, peers)
}

/// Writes a module with a module of constants per name, and exports the modules of the peers' client crates from it.
fn modules(
    text: &mut String,
    comment: &str,
    outer: &str,
    modules: &Modules,
    peers: &[String],
) -> Result<(), Box<dyn Error>> {
    writeln!(text, "/// {comment}\npub mod {outer} {{")?;
    for peer in peers {
        writeln!(text, "pub use ::pavise_{peer}_client::{outer}::*;")?;
    }
    for (module, constants) in modules {
        writeln!(text, "/// Of {}.\npub mod {} {{", module.replace('_', " "), name::ident(module))?;
        for (constant, value) in constants {
            writeln!(text, "/// `{value}`.\npub const {constant}: &str = {value:?};")?;
        }
        text.push_str("}\n");
    }
    text.push_str("}\n");
    Ok(())
}

fn feeds_of(contract: &Contract) -> BTreeMap<String, String> {
    let journals = contract.services.iter().filter_map(|service| {
        let reads = service.methods.iter().find(|method| matches!(method.behavior, Behavior::Journal(_)))?;
        let path = format!("/{}/{}", service.descriptor.full_name(), reads.descriptor.name());
        let feed = format!(
            "::pavise_kernel::worker::JournalFeed::Journal {{ domain: {:?}, service: {:?}, path: {path:?} }}",
            service.domain, service.name
        );
        Some((name::constant(&service.name), feed))
    });
    journals.collect()
}

/// Actions by the name of their enumeration without `Action`.
fn actions_of(contract: &Contract, pool: &DescriptorPool) -> Modules {
    let mut found = Modules::new();
    for aggregate in contract.aggregates.values() {
        let full = format!("{}.{}", aggregate.descriptor.package_name(), aggregate.options.actions);
        let Some(actions) = pool.get_enum_by_name(&full) else { continue };
        let module = actions.name().trim_end_matches("Action").to_snake_case();
        let spelled = actions.values().filter_map(|value| spelling::of(&value));
        found.insert(module, spelled.map(|spelled| (name::constant(&spelled), spelled)).collect());
    }
    found
}

fn lookups_of(source: &Source<'_>) -> Modules {
    let of = |aggregate: &pavise_contract::Aggregate| {
        let constants = aggregate.options.lookups.iter().map(|lookup| {
            let constant = lookup.field.replace('.', "_").to_uppercase();
            (constant, lookup.field.clone())
        });
        let status = [("STATUS".to_owned(), "status".to_owned())];
        (aggregate.descriptor.name().to_snake_case(), constants.chain(status).collect())
    };
    entities::aggregates(source).map(of).collect()
}

fn roles_of(source: &Source<'_>) -> Vec<String> {
    let own = source.contract.methods().filter(|(service, _)| service.domain == source.domain);
    let mut roles: Vec<String> =
        own.flat_map(|(_, method)| &method.access.roles).map(|role| role.name.clone()).collect();
    roles.sort();
    roles.dedup();
    roles
}
