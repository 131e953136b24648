//! `members.note_entitlements`: records when the first entitlement of a person was created.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::actions::entitlement as actions;
use crate::contract::feeds;
use crate::contract::fulfillment::Entitlement;
use crate::contract::v1::FillProfileRequest;
use crate::contract::v1::profile_service_client::ProfileServiceClient;

/// The worker.
#[derive(Debug)]
pub(crate) struct NoteEntitlements;

#[async_trait]
impl Worker for NoteEntitlements {
    fn name(&self) -> &'static str {
        "members.note_entitlements"
    }

    fn feed(&self) -> JournalFeed {
        feeds::ENTITLEMENTS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        if entry.action != actions::CREATED {
            return Ok(());
        }
        let Some(entitlement) = worker::decode_entity::<Entitlement>(entry)? else { return Ok(()) };
        if entitlement.owner_id.is_empty() {
            return Ok(());
        }
        let request = FillProfileRequest {
            identity_id: entitlement.owner_id,
            entitlement_created_at: entitlement.created_at,
            ..FillProfileRequest::default()
        };
        let mut profiles = ProfileServiceClient::new(work.peer_channel("members"));
        profiles.fill_profile(work.new_request(request, "fill")).await?;
        Ok(())
    }
}
