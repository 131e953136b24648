//! Sets the first name that the person goes by.

use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{ErrorReason, Profile, UpdatePreferredNameRequest};

impl Edit<UpdatePreferredNameRequest> for Profile {
    fn edit(&mut self, request: &UpdatePreferredNameRequest, _context: &EditContext) -> Result<()> {
        match &mut self.name {
            Some(name) => request.preferred_name.trim().clone_into(&mut name.preferred_name),
            None if request.preferred_name.is_empty() => {}
            None => return Err(Error::new(ErrorReason::NameMissing, "give the profile a name first")),
        }
        Ok(())
    }
}
