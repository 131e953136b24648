//! The aggregates of the package: their constants, their journals, and the calls that answer them.

use std::error::Error;

use pavise_contract::options::v1::Answers;
use pavise_contract::{Aggregate, Behavior, Method, Service};

use crate::{Source, name};

/// The aggregates of the package, by name.
pub(crate) fn aggregates<'a>(source: &'a Source<'_>) -> impl Iterator<Item = &'a Aggregate> {
    source.contract.aggregates.values().filter(|aggregate| aggregate.descriptor.package_name() == source.package)
}

/// The name of an aggregate's table constant.
pub(crate) fn constant(aggregate: &Aggregate) -> String {
    format!("{}_TABLE", name::constant(aggregate.descriptor.name()))
}

/// The aggregate that a call names, by message name. Default: the aggregate that the call answers.
pub(crate) fn named<'a>(
    source: &'a Source<'_>,
    method: &Method,
    name: &str,
) -> Result<Option<&'a Aggregate>, Box<dyn Error>> {
    if name.is_empty() {
        return Ok(source.contract.aggregates.get(method.output().full_name()));
    }
    let full = format!("{}.{name}", source.package);
    let found = source.contract.aggregates.get(&full);
    found.map(Some).ok_or_else(|| format!("{}: there is no aggregate {full}", method.descriptor.full_name()).into())
}

/// The service that the aggregate belongs to. Default: the service whose calls answer the aggregate.
pub(crate) fn journal<'a>(source: &'a Source<'_>, aggregate: &Aggregate) -> Result<&'a str, Box<dyn Error>> {
    let options = &aggregate.options;
    if !options.journal.is_empty() {
        return Ok(&source
            .contract
            .service(&options.journal)
            .ok_or_else(|| format!("{}: there is no service {}", aggregate.descriptor.full_name(), options.journal))?
            .name);
    }
    let answers = source.contract.methods().find(|(service, method)| {
        service.domain == source.domain && method.output().full_name() == aggregate.descriptor.full_name()
    });
    let (service, _) = answers.ok_or_else(|| {
        format!(
            "{}: no call answers it: name the service of its journal in `journal`",
            aggregate.descriptor.full_name()
        )
    })?;
    Ok(&service.name)
}

/// The call whose access rule decides who may read an entity: the first declared get, else the first custom one.
pub(crate) fn answering<'a>(source: &'a Source<'_>, aggregate: &Aggregate) -> Option<(&'a Service, &'a Method)> {
    let full = aggregate.descriptor.full_name();
    let mut answering: Vec<_> = source
        .contract
        .methods()
        .filter(|(service, method)| {
            service.domain == source.domain
                && method.reads()
                && method.facts.answers() == Answers::One
                && method.output().full_name() == full
                && !matches!(&method.behavior, Behavior::Get(get) if !get.reveal.is_empty())
        })
        .collect();
    answering.sort_by_key(|(_, method)| !matches!(method.behavior, Behavior::Get(_)));
    answering.into_iter().next()
}
