//! Constants for names that Rust would otherwise repeat as string literals. The domain gets its journal actions,
//! lookups, journal feeds and roles. For its peers it gets the feeds, the actions and the spellings of enumerations.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;

use heck::ToSnakeCase as _;
use pavise_contract::{Behavior, Contract, spelling};
use prost_reflect::{DescriptorPool, EnumDescriptor};

use crate::{Source, aggregate, name};

/// Constants by module.
type Modules = BTreeMap<String, BTreeMap<String, String>>;

/// The constants of the domain and its peers. `peers` is the pool of the peers' protos.
pub(crate) fn code(source: &Source<'_>, peers: Option<&DescriptorPool>) -> Result<String, Box<dyn Error>> {
    let mut feeds = feeds_of(source.contract);
    let mut actions = actions_of(source.contract, source.pool);
    let mut text = String::new();
    if let Some(pool) = peers {
        let contract = Contract::read(pool).map_err(|error| error.to_string())?;
        feeds.append(&mut feeds_of(&contract));
        actions.append(&mut actions_of(&contract, pool));
        for descriptor in pool.all_enums().filter(|one| is_peers(source, one)) {
            text.push_str(&spelling::code(&descriptor, &name::enumeration(&descriptor)));
        }
    }
    text.push_str("/// The journals of this domain and of its peers, as workers read them.\npub mod feeds {\n");
    for (constant, feed) in feeds {
        writeln!(text, "/// A journal.\npub const {constant}: ::pavise_kernel::worker::Feed = {feed};")?;
    }
    text.push_str("}\n");
    modules(&mut text, "The journal actions of this domain and of its peers.", "actions", &actions)?;
    modules(&mut text, "The lookups of this domain's aggregates.", "lookups", &lookups_of(source))?;
    text.push_str("/// The roles that access rules of this domain name.\npub mod roles {\n");
    for role in roles_of(source) {
        writeln!(text, "/// A role.\npub const {role}: &str = {role:?};")?;
    }
    text.push_str("}\n");
    Ok(text)
}

fn modules(text: &mut String, comment: &str, outer: &str, modules: &Modules) -> Result<(), Box<dyn Error>> {
    writeln!(text, "/// {comment}\npub mod {outer} {{")?;
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

/// Whether the enumeration belongs to a peer's own package and has spellings.
fn is_peers(source: &Source<'_>, descriptor: &EnumDescriptor) -> bool {
    let package = descriptor.package_name();
    let shared = ["pavise.common.v1", "pavise.contract.v1"].contains(&package);
    package.starts_with("pavise.") && package != source.package && !shared && descriptor.name() != "ErrorReason"
}

fn feeds_of(contract: &Contract) -> BTreeMap<String, String> {
    let journals = contract.services.iter().filter_map(|service| {
        let reads = service.methods.iter().find(|method| matches!(method.behavior, Behavior::Journal(_)))?;
        let path = format!("/{}/{}", service.descriptor.full_name(), reads.descriptor.name());
        let feed = format!(
            "::pavise_kernel::worker::Feed::Journal {{ domain: {:?}, service: {:?}, path: {path:?} }}",
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
    aggregate::aggregates(source).map(of).collect()
}

fn roles_of(source: &Source<'_>) -> Vec<String> {
    let own = source.contract.methods().filter(|(service, _)| service.domain == source.domain);
    let mut roles: Vec<String> =
        own.flat_map(|(_, method)| &method.access.roles).map(|role| role.name.clone()).collect();
    roles.sort();
    roles.dedup();
    roles
}
