//! Decides the collisions of a provision.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::collisions::decide_collisions;
use super::support::lifecycle::{Event, apply_event};
use crate::contract::v1::{ProfileCheckedRequest, Provision};

impl Edit<ProfileCheckedRequest> for Provision {
    /// Decides each collision: the same person, or another one with another address.
    fn edit(&mut self, request: &ProfileCheckedRequest, context: &EditContext) -> Result<()> {
        decide_collisions(self, &request.decisions, context.timestamp())?;
        apply_event(self, Event::ProfileChecked)
    }
}
