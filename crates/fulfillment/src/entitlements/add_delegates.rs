//! Delegates are added to an entitlement.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::people::add_people;
use crate::contract::v1::{AddDelegatesRequest, Entitlement};

impl Edit<AddDelegatesRequest> for Entitlement {
    fn edit(&mut self, request: &AddDelegatesRequest, _context: &EditContext) -> Result<()> {
        add_people(&mut self.delegates, &request.delegates);
        Ok(())
    }
}
