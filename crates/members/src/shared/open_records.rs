//! The records of a person that are open or on legal hold: while there is one, the person is not erased.

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
        let on_legal_hold = owned_entity.in_use.as_ref().is_some_and(|list| list.held != 0);
        open.extend(ids.into_iter().map(|id| OpenRecord {
            kind: owned_entity.processor.to_owned(),
            id,
            on_legal_hold,
        }));
    }
    Ok(open)
}

/// The refusal that names the open records.
pub(crate) fn records_open_error(open: &[OpenRecord]) -> Error {
    let mut counts: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for record in open {
        *counts.entry((record.kind.as_str(), record.on_legal_hold)).or_default() += 1;
    }
    let why = |held| if held { "is on legal hold" } else { "is open" };
    let named = counts.iter().map(|((kind, held), count)| {
        let held = if *held { " on legal hold" } else { "" };
        format!("{kind}{held}: {count}")
    });
    let named: Vec<String> = named.collect();
    let message = format!("records of this person are open: {}", named.join(", "));
    let error = Error::new(ErrorReason::RecordsOpen, message);
    let error = counts.into_iter().fold(error, |error, ((kind, _), count)| error.with(kind, count.to_string()));
    open.iter().fold(error, |error, record| error.precondition(&record.kind, &record.id, why(record.on_legal_hold)))
}
