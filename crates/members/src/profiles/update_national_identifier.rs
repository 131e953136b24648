//! Sets the national identifier.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::identifiers::to_kept;
use crate::contract::v1::{Profile, UpdateNationalIdentifierRequest};

impl Edit<UpdateNationalIdentifierRequest> for Profile {
    fn edit(&mut self, request: &UpdateNationalIdentifierRequest, _context: &EditContext) -> Result<()> {
        self.national_identifier = to_kept(request.national_identifier.as_ref())?;
        Ok(())
    }
}
