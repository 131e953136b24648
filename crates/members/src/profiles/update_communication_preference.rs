//! Sets whether messages of one kind are wanted on a channel.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::preferences::set_preferences;
use crate::contract::v1::{CommunicationPreference, Profile, UpdateCommunicationPreferenceRequest};

impl Edit<UpdateCommunicationPreferenceRequest> for Profile {
    fn edit(&mut self, request: &UpdateCommunicationPreferenceRequest, context: &EditContext) -> Result<()> {
        let preference = CommunicationPreference {
            key: request.key.clone(),
            channel: request.channel,
            allowed: request.allowed,
            source: request.source.clone(),
            updated_at: None,
        };
        set_preferences(&mut self.communication_preferences, [preference], context.timestamp());
        Ok(())
    }
}
