//! Sets the title before the name.

use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{ErrorReason, Profile, UpdateTitleRequest};

impl Edit<UpdateTitleRequest> for Profile {
    fn edit(&mut self, request: &UpdateTitleRequest, _context: &EditContext) -> Result<()> {
        match &mut self.name {
            Some(name) => request.title.trim().clone_into(&mut name.title),
            None if request.title.is_empty() => {}
            None => return Err(Error::new(ErrorReason::NameMissing, "give the profile a name first")),
        }
        Ok(())
    }
}
