//! `identity.prepare_password_resets`: prepares requested password resets.

use async_trait::async_trait;
use pavise_kernel::Result;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{JournalFeed, Work, Worker, decode_entity};

use crate::contract::v1::identity_service_client::IdentityServiceClient;
use crate::contract::v1::{PasswordReset, PasswordResetStatus, PreparePasswordResetRequest};
use crate::contract::{actions, feeds};

/// Prepares requested resets.
#[derive(Debug)]
pub(crate) struct PreparePasswordResets;

#[async_trait]
impl Worker for PreparePasswordResets {
    fn name(&self) -> &'static str {
        "identity.prepare_password_resets"
    }

    fn key_name(&self) -> &'static str {
        "identity.password_resets"
    }

    fn feed(&self) -> JournalFeed {
        feeds::IDENTITIES
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(reset) = decode_entity::<PasswordReset>(entry)? else { return Ok(()) };
        // A request that was forgotten has nothing left to be done.
        if reset.status() == PasswordResetStatus::Requested
            && entry.action == actions::identity_audit::PASSWORD_RESET_REQUESTED
        {
            let request = work.new_request(PreparePasswordResetRequest { password_reset_id: reset.id }, "prepare");
            IdentityServiceClient::new(work.peer_channel("identity")).prepare_password_reset(request).await?;
        }
        Ok(())
    }
}
