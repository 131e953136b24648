//! The data that the domains have of a person: counted and erased, part by part.

use std::collections::BTreeMap;

use pavise_kernel::common::v1::{ErasedCounts, RedactPersonRequest};
use pavise_kernel::table::PersonCalls;
use pavise_kernel::worker::Work;
use pavise_kernel::{Error, Result};

use crate::contract::v1::ErasedService;

/// Counts what a domain has of a person, by service. It writes nothing.
pub(crate) async fn count_in_domain(work: &Work, calls: &PersonCalls, person: &str) -> Result<Vec<ErasedService>> {
    let mut services: BTreeMap<String, ErasedService> = BTreeMap::new();
    for counts in redact_all(work, calls, person, true).await? {
        let service = services.entry(counts.service.clone()).or_default();
        service.service = counts.service;
        service.entities = service.entities.saturating_add(counts.entities);
        service.entries = service.entries.saturating_add(counts.entries);
    }
    Ok(services.into_values().collect())
}

/// Erases once what a domain has of a person. Answers whether there was something.
pub(crate) async fn erase_in_domain(work: &Work, calls: &PersonCalls, person: &str) -> Result<bool> {
    Ok(!redact_all(work, calls, person, false).await?.is_empty())
}

/// Makes the call again and again until it is at its end.
async fn redact_all(work: &Work, calls: &PersonCalls, person: &str, preview: bool) -> Result<Vec<ErasedCounts>> {
    let (mut all, mut token) = (Vec::new(), String::new());
    loop {
        let request = RedactPersonRequest { identity_id: person.to_owned(), page_token: token.clone(), preview };
        let answer = work.redact_person(calls, &request).await?;
        all.extend(answer.services);
        match answer.next_page_token {
            next if next.is_empty() => return Ok(all),
            next if next == token => return Err(Error::internal(format!("{} does not go on", calls.redact))),
            next => token = next,
        }
    }
}
