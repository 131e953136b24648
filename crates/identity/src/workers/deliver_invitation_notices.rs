//! `identity.deliver_invitation_notices`: delivers the notices of invitations.

use async_trait::async_trait;
use pavise_kernel::Result;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{JournalFeed, Work, Worker};

use super::support::delivery::deliver_entry;
use crate::contract::feeds;
use crate::contract::v1::InvitationNotice;

/// The worker.
#[derive(Debug)]
pub(crate) struct DeliverInvitationNotices;

#[async_trait]
impl Worker for DeliverInvitationNotices {
    fn name(&self) -> &'static str {
        "identity.deliver_invitation_notices"
    }

    fn key_name(&self) -> &'static str {
        "identity.invitation_notices"
    }

    fn feed(&self) -> JournalFeed {
        feeds::INVITATIONS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        deliver_entry::<InvitationNotice>(work, entry).await
    }
}
