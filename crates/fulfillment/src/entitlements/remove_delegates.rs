//! Delegates are removed from an entitlement.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Entitlement, RemoveDelegatesRequest};

impl Edit<RemoveDelegatesRequest> for Entitlement {
    /// Removes the people. A person who is not on the list does not matter.
    fn edit(&mut self, request: &RemoveDelegatesRequest, _context: &EditContext) -> Result<()> {
        self.delegates.retain(|known| !request.person_ids.contains(&known.id));
        Ok(())
    }
}
