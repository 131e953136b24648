//! Events of providers: stored once, by the provider's id.

use pavise_kernel::common::v1::RawAnswer;
use pavise_kernel::hex::to_hex;
use pavise_kernel::{Call, Common, Result};
use sha2::{Digest as _, Sha256};

use crate::contract::v1::{DeliveryEvent, NotificationProvider};

/// Tries of a commit that meets the same events in another one.
const TRIES: usize = 5;
/// The characters of an id.
const ID: usize = 40;

/// The id of an event: made of its provider and the provider's id of it.
pub(in crate::notifications) fn event_id(provider: NotificationProvider, provider_event_id: &str) -> String {
    let digest = to_hex(&Sha256::digest(format!("{}\n{provider_event_id}", provider.spelling())));
    digest.chars().take(ID).collect()
}

/// Stores the events that are not there yet, and answers the provider.
///
/// # Errors
/// When the database does not answer.
pub(in crate::notifications) async fn store_events(call: &Call, mut events: Vec<DeliveryEvent>) -> Result<RawAnswer> {
    events.sort_by(|one, other| one.id.cmp(&other.id));
    events.dedup_by(|one, other| one.id == other.id);
    let mut tries = 0;
    loop {
        let ids: Vec<String> = events.iter().map(|event| event.id.clone()).collect();
        let known: Vec<DeliveryEvent> = call.find_many(&ids).await?;
        let mut unit = call.unit();
        for event in events.iter().filter(|event| !known.iter().any(|one| one.id == event.id)) {
            unit.create(event.clone())?;
        }
        match unit.commit_answer(RawAnswer::default()).await {
            // The same events came at the same time.
            Err(error) if (error.is(Common::AlreadyExists) || error.is(Common::Contention)) && tries < TRIES => {
                tries += 1;
            }
            other => return other,
        }
    }
}
