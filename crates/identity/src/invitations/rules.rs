//! Rules of every write of an invitation.

use pavise_kernel::{Result, Settle};
use prost_types::Timestamp;

use super::pending::pending_digest;
use crate::contract::v1::{Invitation, InvitationStatus};

impl Settle for Invitation {
    fn settle(&mut self, _before: Option<&Self>, _at: &Timestamp) -> Result<()> {
        // An accepted invitation makes room for another one to the same thing.
        self.pending_digest = (self.status() != InvitationStatus::Accepted).then(|| pending_digest(self));
        Ok(())
    }
}
