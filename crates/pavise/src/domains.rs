//! The domains of the platform. `build.rs` lists them from this crate's dependencies; everything else asks here.

use anyhow::Context as _;
use pavise_kernel::migrations::Migrations;
use pavise_kernel::table::{Method, OwnedEntity, PersonCalls, WorkerCalls};
use pavise_kernel::{Domain, TableEntry};
use prost_reflect::DescriptorPool;

include!(concat!(env!("OUT_DIR"), "/domains.rs"));

/// The names of all domains.
#[must_use]
pub fn every() -> Vec<String> {
    NAMES.map(str::to_owned).to_vec()
}

/// The domains with these names.
pub fn named(names: &[String]) -> impl Iterator<Item = &'static dyn Domain> {
    DOMAINS.into_iter().filter(move |domain| names.iter().any(|name| name == domain.declared().name))
}

/// The migrations of these domains.
#[must_use]
pub fn migrations(names: &[String]) -> Vec<&'static Migrations> {
    named(names).map(|domain| domain.declared().migrations).collect()
}

/// The aggregates of all domains.
pub fn tables() -> impl Iterator<Item = &'static TableEntry> {
    DOMAINS.into_iter().flat_map(|domain| domain.declared().tables.iter().copied())
}

/// The aggregates of these domains.
pub fn tables_of(names: &[String]) -> impl Iterator<Item = &'static TableEntry> {
    named(names).flat_map(|domain| domain.declared().tables.iter().copied())
}

/// The things of all domains that a merge of two identities moves.
pub fn owned_entities() -> impl Iterator<Item = &'static OwnedEntity> {
    DOMAINS.into_iter().flat_map(|domain| domain.declared().owned_entities.iter().copied())
}

/// The calls about one person's data of all domains that store such data.
pub fn person_calls() -> impl Iterator<Item = &'static PersonCalls> {
    DOMAINS.into_iter().filter_map(|domain| domain.declared().person_calls)
}

/// The calls about workers of all domains.
pub fn worker_calls() -> impl Iterator<Item = &'static WorkerCalls> {
    DOMAINS.into_iter().filter_map(|domain| domain.declared().worker_calls)
}

/// The calls of all domains.
fn methods() -> impl Iterator<Item = &'static Method> {
    DOMAINS.into_iter().flat_map(|domain| domain.declared().methods.iter().copied())
}

/// The whole contract, with comments for documents or without for serving.
///
/// # Errors
/// When an embedded descriptor set does not decode, which the build rules out.
pub fn pool(comments: bool) -> anyhow::Result<DescriptorPool> {
    let mut pool = DescriptorPool::new();
    if comments {
        // No domain's protos import the reasons that all share.
        pool.decode_file_descriptor_set(pavise_contract::DESCRIPTORS).context("the shared descriptors")?;
    }
    for domain in DOMAINS.map(Domain::declared) {
        let set = if comments { domain.commented } else { domain.descriptors };
        pool.decode_file_descriptor_set(set).with_context(|| format!("the descriptors of {}", domain.name))?;
    }
    Ok(pool)
}

/// The services' names by precedence: where two claim one path on the bare domain, the earlier answers.
#[must_use]
pub fn precedence() -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for method in methods() {
        if !names.iter().any(|name| name == method.service) {
            names.push(method.service.to_owned());
        }
    }
    names
}

/// Whether the call of a gRPC path writes nothing, so that it can be repeated.
#[must_use]
pub fn reads(path: &str) -> bool {
    methods().any(|method| method.reads && method.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_registers_the_domain_of_its_name() {
        assert_eq!(DOMAINS.map(|domain| domain.declared().name), NAMES);
    }
}
