//! Sets whether messages of some kinds are wanted.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::preferences::set_preferences;
use crate::contract::v1::{Profile, UpdateCommunicationPreferencesRequest};

impl Edit<UpdateCommunicationPreferencesRequest> for Profile {
    fn edit(&mut self, request: &UpdateCommunicationPreferencesRequest, context: &EditContext) -> Result<()> {
        let new = request.communication_preferences.iter().cloned();
        set_preferences(&mut self.communication_preferences, new, context.timestamp());
        Ok(())
    }
}
