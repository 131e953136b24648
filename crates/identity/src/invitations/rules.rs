//! Rules of every write of an invitation.

use pavise_kernel::{Derive, Result};
use prost_types::Timestamp;

use super::pending::pending_digest;
use crate::contract::v1::{Invitation, InvitationStatus};

impl Derive for Invitation {
    fn derive(&mut self, _before: Option<&Self>, _at: &Timestamp) -> Result<()> {
        // An accepted invitation makes room for another one to the same thing.
        self.pending_digest = (self.status() != InvitationStatus::Accepted).then(|| pending_digest(self));
        Ok(())
    }
}
