//! Makes the profile of an identity.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::identifiers::to_kept;
use crate::contract::v1::{CreateProfileRequest, Profile};

impl Edit<CreateProfileRequest> for Profile {
    fn edit(&mut self, request: &CreateProfileRequest, context: &EditContext) -> Result<()> {
        self.prepare_lists(context)?;
        self.national_identifier = to_kept(request.national_identifier.as_ref())?;
        Ok(())
    }
}
