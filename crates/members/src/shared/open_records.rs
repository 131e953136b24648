//! The records of a person that are open: while there is one, the person is not erased.

use std::collections::BTreeMap;

use pavise_kernel::worker::Work;
use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{ErrorReason, OpenRecord};

/// The name under which it asks the other services.
const ERASURE: &str = "profiles.erasure";

/// The open records of a person in all services. A service that does not answer is an error.
pub(crate) async fn find_open(call: &Call, person: &str) -> Result<Vec<OpenRecord>> {
    let work = Work::new(call.kernel(), ERASURE, format!("redact {}", call.request_id()), call.request_id());
    let mut open = Vec::new();
    for owned_entity in call.kernel().owned_entities().iter().filter(|one| !one.erasable) {
        let ids = work.list_in_use(owned_entity, person).await?;
        open.extend(ids.into_iter().map(|id| OpenRecord { kind: owned_entity.processor.to_owned(), id }));
    }
    Ok(open)
}

/// The refusal that names the open records.
pub(crate) fn records_open_error(open: &[OpenRecord]) -> Error {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for record in open {
        *counts.entry(&record.kind).or_default() += 1;
    }
    let named: Vec<String> = counts.iter().map(|(kind, count)| format!("{kind}: {count}")).collect();
    let message = format!("records of this person are open: {}", named.join(", "));
    let error = Error::new(ErrorReason::RecordsOpen, message);
    let error = counts.into_iter().fold(error, |error, (kind, count)| error.with(kind, count.to_string()));
    open.iter().fold(error, |error, record| error.precondition(&record.kind, &record.id, "is open"))
}
