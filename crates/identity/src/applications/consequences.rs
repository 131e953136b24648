//! Checks of a change of an application's owner.

use pavise_kernel::{Call, Consequences, Result, Step};

use super::support::owner::load_owner;
use crate::contract::v1::Application;
use crate::shared::grants;
use crate::shared::grants::GrantedRights;

impl Consequences for Application {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        if let (Some(before), Some(after)) = (&step.before, &step.after)
            && before.owner_id != after.owner_id
        {
            load_owner(call, &after.owner_id).await?;
            // The application's rights are also bounded by its owner's, so a new owner can give it more than before.
            GrantedRights::permissions(&grants::by_application(&after.permissions)).check(call.caller(), false)?;
        }
        Ok(())
    }
}
