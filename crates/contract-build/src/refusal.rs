//! Checks the declared reasons of calls and aggregates.

use std::collections::HashSet;
use std::error::Error;

use pavise_contract::{Aggregate, Method};

use crate::Source;
use crate::floor::entities;

/// Checks that the declared reasons of the domain exist, and that Rust runs which may give them.
pub(crate) fn check(source: &Source<'_>) -> Result<(), Box<dyn Error>> {
    for aggregate in entities::aggregates(source) {
        let (place, reasons) = (aggregate.descriptor.full_name(), &aggregate.options.reasons);
        known(source, place, reasons)?;
        if !reasons.is_empty() && !is_ruled(aggregate) {
            return Err(format!("{place}: it has `reasons` and no rules or consequences that would give them: leave them out, or set `invariants`, `derives` or `consequences`").into());
        }
    }
    for service in source.contract.services.iter().filter(|service| service.domain == source.domain) {
        service.methods.iter().try_for_each(|method| of_method(source, method))?;
    }
    Ok(())
}

fn of_method(source: &Source<'_>, method: &Method) -> Result<(), Box<dyn Error>> {
    let place = method.descriptor.full_name();
    known(source, place, method.reasons())?;
    let written = method.edits() || method.checks() || !method.declared();
    if method.reasons().is_empty() || written || source.contract.aggregates.get(&method.about()).is_some_and(is_ruled) {
        return Ok(());
    }
    Err(format!(
        "{place}: it has `reasons`, and no Rust that would give them: leave them out, or set `edit` or `checks`"
    )
    .into())
}

/// Whether handwritten code may refuse a write of the aggregate.
fn is_ruled(aggregate: &Aggregate) -> bool {
    let options = &aggregate.options;
    options.invariants || options.derives || options.consequences
}

/// Checks that the reasons exist, each named once.
fn known(source: &Source<'_>, place: &str, reasons: &[String]) -> Result<(), Box<dyn Error>> {
    let mut seen = HashSet::new();
    for reason in reasons {
        if source.contract.reason(source.domain, reason).is_none() {
            return Err(format!("{place}: there is no reason {reason}").into());
        }
        if !seen.insert(reason) {
            return Err(format!("{place}: the reason {reason} is named twice").into());
        }
    }
    Ok(())
}
