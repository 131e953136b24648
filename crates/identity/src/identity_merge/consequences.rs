//! The plan of a new merge, and the journal action of a changed one.

use pavise_kernel::{Call, Consequences, Result, Step};

use super::support::plan;
use crate::contract::v1::IdentityMerge;

impl Consequences for IdentityMerge {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        match (&step.before, &mut step.after) {
            (None, Some(after)) => plan::plan_merge(call, after).await?,
            // The journal names the direction of the merge.
            (Some(_), Some(after)) => {
                let action = after.action().spelling();
                step.set_action(action);
            }
            (_, None) => {}
        }
        Ok(())
    }
}
