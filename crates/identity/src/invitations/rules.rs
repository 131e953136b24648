//! Rules of every write of an invitation.

use pavise_kernel::{Derive, Error, Result};
use prost_types::Timestamp;

use super::support::pending::pending_digest;
use crate::contract::v1::{Invitation, InvitationStatus, ResourceType};

impl Derive for Invitation {
    fn derive(&mut self, _before: Option<&Self>, _at: &Timestamp) -> Result<()> {
        if !self.group_id.is_empty() {
            self.resource_type = ResourceType::Group.into();
            self.resource_id.clone_from(&self.group_id);
        } else if self.resource_type() == ResourceType::Group {
            return Err(Error::field("resource_type", "only a group's administrator invites into it"));
        }
        // An accepted invitation makes room for another one to the same thing.
        self.pending_digest = (self.status() != InvitationStatus::Accepted).then(|| pending_digest(self));
        Ok(())
    }
}
