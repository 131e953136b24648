//! Expands the short form in which the protos are written: `options.proto` says what is filled in.
//!
//! Everything that reads a contract reads the expanded form, which has no defaults, no relative names and no sets of
//! statuses in it. Expanding it again changes nothing. Used by this crate and, by path, by build scripts.

use prost_reflect::{DescriptorPool, ServiceDescriptor};

#[path = "expand/access.rs"]
mod access;
#[path = "expand/aggregate.rs"]
mod aggregate;
#[path = "expand/call.rs"]
mod call;
#[path = "expand/display.rs"]
mod display;
#[path = "expand/edit.rs"]
mod edit;
#[path = "expand/format.rs"]
mod format;
#[path = "expand/options.rs"]
mod options;
#[path = "expand/rate_limit.rs"]
mod rate_limit;
#[path = "expand/read.rs"]
mod read;
#[path = "expand/rules.rs"]
mod rules;
#[path = "expand/scope.rs"]
mod scope;

use aggregate::Aggregates;
use edit::Edits;
use options::Options;

/// Expands an encoded descriptor set. Options are edited in place, as dynamic messages, so that none is lost.
///
/// # Errors
/// When the set cannot be read, or the short form names what there is not.
pub(crate) fn expand(set: &[u8]) -> Result<Vec<u8>, String> {
    let pool = DescriptorPool::decode(set).map_err(|error| error.to_string())?;
    let mut edits = Edits::default();
    if let Some(options) = Options::of(&pool) {
        let services: Vec<_> =
            pool.services().filter(|service| service.options().has_extension(&options.service)).collect();
        let aggregates = Aggregates::read(&pool, &options)?;
        aggregates.expand(&options, &services, &mut edits);
        for service in &services {
            expand_service(service, &options, &aggregates, &mut edits)?;
        }
        rules::expand(&pool, &services, &mut edits);
    }
    edits.apply(&pool, set)
}

fn expand_service(
    service: &ServiceDescriptor,
    options: &Options,
    aggregates: &Aggregates,
    edits: &mut Edits,
) -> Result<(), String> {
    let Some(said) = read::option(&service.options(), &options.service) else { return Ok(()) };
    let access = access::Defaults::read(service, &said);
    edits.set(service.full_name(), &options.service, access.without(said));
    for method in service.methods() {
        let set = method.options();
        let Some(call) = read::option(&set, &options.call) else { continue };
        let Some(call) = call::Call::read(&method, call, aggregates) else { continue };
        let rule = access.of(&method, read::option(&set, &options.access), call.kind())?;
        let kinds = call.kinds(rule.as_ref());
        if let Some(rule) = rule {
            edits.set(method.full_name(), &options.access, rule);
        }
        edits.set(method.full_name(), &options.facts, call.facts(&options.facts));
        let mut call = call.expanded();
        rate_limit::complete(&mut call, kinds);
        edits.set(method.full_name(), &options.call, call);
    }
    Ok(())
}
