//! The workers that tell somebody of what was done in their name by calls with `IMPERSONATION_NOTIFY`.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::Behavior;
use pavise_contract::options::v1::Impersonation;

use crate::floor::entities;
use crate::floor::rule::rule;
use crate::{Source, name};

/// The journals that such calls write to, each with the actions that they write. A call of which no entry would come is an
/// error, because nobody could be told.
pub(crate) fn workers(source: &Source<'_>) -> Result<String, Box<dyn Error>> {
    let mut journals: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for service in source.contract.services.iter().filter(|service| service.domain == source.domain) {
        for method in &service.methods {
            if method.access.impersonation() == Impersonation::Notify {
                let aggregate = rule(source, method)?.aggregate.ok_or_else(|| {
                    format!(
                        "{}: IMPERSONATION_NOTIFY needs an entity whose entries the subject is told of: name its `aggregate`",
                        method.descriptor.full_name()
                    )
                })?;
                let journal = entities::journal(source, aggregate)?.to_owned();
                journals.entry(journal).or_default().extend(method.actions().into_iter().map(str::to_owned));
            }
        }
    }
    let mut text = String::new();
    for (journal, actions) in journals {
        let service = source.contract.service(&journal).ok_or_else(|| format!("there is no service {journal}"))?;
        if !service.methods.iter().any(|method| matches!(method.behavior, Behavior::Journal(_))) {
            let place = service.descriptor.full_name();
            return Err(
                format!("{place}: IMPERSONATION_NOTIFY needs the entries of the service: add a journal call").into()
            );
        }
        let actions: Vec<String> = actions.into_iter().collect();
        writeln!(
            text,
            "::pavise_kernel::notify_subject::SubjectNotice {{ worker: \"{}.{journal}_told\", service: {journal:?}, feed: feeds::{}, actions: &{actions:?} }},",
            source.domain,
            name::constant(&journal),
        )?;
    }
    Ok(format!(
        "/// The journals with entries of which their subject is told.\npub static TOLD: &[::pavise_kernel::notify_subject::SubjectNotice] = &[{text}];\n"
    ))
}
