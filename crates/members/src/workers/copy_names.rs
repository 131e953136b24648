//! `members.copy_names`: tells the identity domain the name by which people know a person.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Common, Error, Result, async_trait};

use crate::contract::actions::profile as actions;
use crate::contract::feeds;
use crate::contract::identity::SetDisplayNameRequest;
use crate::contract::identity::identity_service_client::IdentityServiceClient;
use crate::contract::v1::Profile;

/// The actions that may change the name.
const ACTIONS: [&str; 6] = [
    actions::CREATED,
    actions::UPDATED,
    actions::UPDATED_NAME,
    actions::UPDATED_PREFERRED_NAME,
    actions::REDACTED_PER_REQUEST,
    actions::TOUCHED,
];

/// The worker.
#[derive(Debug)]
pub(crate) struct CopyNames;

#[async_trait]
impl Worker for CopyNames {
    fn name(&self) -> &'static str {
        "members.copy_names"
    }

    fn feed(&self) -> JournalFeed {
        feeds::PROFILES
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(profile) = worker::decode_entity::<Profile>(entry)? else { return Ok(()) };
        let is_named = !profile.display_name.is_empty() || entry.action == actions::REDACTED_PER_REQUEST;
        if entry.removed || !is_named || !ACTIONS.contains(&entry.action.as_str()) {
            return Ok(());
        }
        let request = SetDisplayNameRequest { identity_id: profile.id, display_name: profile.display_name };
        let mut identities = IdentityServiceClient::new(work.peer_channel("identity"));
        match identities.set_display_name(work.new_request(request, "name")).await.map_err(Error::from) {
            // The person has been merged or forgotten since.
            Err(error) if error.is(Common::NotFound) || error.is(Common::StatusNotAllowed) => Ok(()),
            other => other.map(drop),
        }
    }
}
