//! The data that the domains have of a person: counted and erased, part by part.

use std::collections::BTreeMap;

use pavise_kernel::common::v1::{ErasedCounts, HeldEntity, RedactPersonRequest};
use pavise_kernel::table::PersonCalls;
use pavise_kernel::worker::Work;
use pavise_kernel::{Error, Result};

use crate::contract::v1::ErasedService;

/// The entities on hold that a refusal names at most.
const MOST_NAMED: usize = 20;

/// Counts what a domain has of a person, by service. It writes nothing.
pub(crate) async fn count_in_domain(work: &Work, calls: &PersonCalls, person: &str) -> Result<Vec<ErasedService>> {
    let mut services: BTreeMap<String, ErasedService> = BTreeMap::new();
    for counts in redact_all(work, calls, person, true).await?.counts {
        let service = services.entry(counts.service.clone()).or_default();
        service.service = counts.service;
        service.entities = service.entities.saturating_add(counts.entities);
        service.entries = service.entries.saturating_add(counts.entries);
    }
    Ok(services.into_values().collect())
}

/// Erases once what a domain has of a person. Answers whether there was something, and what must stay for now.
pub(crate) async fn erase_in_domain(work: &Work, calls: &PersonCalls, person: &str) -> Result<(bool, Vec<HeldEntity>)> {
    let all = redact_all(work, calls, person, false).await?;
    Ok((!all.counts.is_empty(), all.held))
}

/// The refusal, for now, of an erasure that waits for the end of legal holds.
///
/// # Errors
/// When there is such an entity.
pub(crate) fn wait_for_holds(held: &[HeldEntity]) -> Result<()> {
    if held.is_empty() {
        return Ok(());
    }
    let named: Vec<String> = held.iter().take(MOST_NAMED).map(|one| format!("{} {}", one.service, one.id)).collect();
    Err(Error::unavailable("the erasure", format!("{} on legal hold: {}", held.len(), named.join(", "))))
}

/// The answers of all parts of a domain, put together.
#[derive(Debug, Default)]
struct RedactedParts {
    counts: Vec<ErasedCounts>,
    held: Vec<HeldEntity>,
}

/// Makes the call again and again until it is at its end.
async fn redact_all(work: &Work, calls: &PersonCalls, person: &str, preview: bool) -> Result<RedactedParts> {
    let (mut all, mut token) = (RedactedParts::default(), String::new());
    loop {
        let request = RedactPersonRequest { identity_id: person.to_owned(), page_token: token.clone(), preview };
        let answer = work.redact_person(calls, &request).await?;
        all.counts.extend(answer.services);
        all.held.extend(answer.held_entities);
        match answer.next_page_token {
            next if next.is_empty() => return Ok(all),
            next if next == token => return Err(Error::internal(format!("{} does not go on", calls.redact))),
            next => token = next,
        }
    }
}
