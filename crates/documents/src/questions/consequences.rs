//! A questionnaire that goes live leaves a frozen copy of itself.

use pavise_kernel::{Call, Consequences, Result, Step};

use crate::contract::v1::{Question, QuestionVersion};

impl Consequences for Question {
    async fn follow(_call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let (Some(before), Some(after)) = (&step.before, &step.after) else { return Ok(()) };
        if before.live_version < after.live_version
            && let Some(version) = QuestionVersion::freeze_live(after)
        {
            step.unit.create_as(version, step.action)?;
        }
        Ok(())
    }
}
