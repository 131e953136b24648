//! How a questionnaire goes live.

use pavise_kernel::Result;

use crate::contract::v1::{ErrorReason, Question, QuestionContent, QuestionStatus};
use crate::shared::logic::find_faults;

impl Question {
    /// Lets content go live as the next version, unless it is what is live already. `place` is its path for refusals.
    pub(crate) fn go_live(&mut self, content: &QuestionContent, place: &str) -> Result<()> {
        find_faults(content, place).refuse_as(ErrorReason::QuestionIncomplete)?;
        self.draft = None;
        if self.content.as_ref() != Some(content) {
            self.content = Some(content.clone());
            self.live_version += 1;
        }
        self.set_status(QuestionStatus::Active);
        Ok(())
    }

    /// Takes content as the draft, or lets it go live.
    pub(crate) fn take_content(&mut self, content: Option<&QuestionContent>, is_draft: bool) -> Result<()> {
        let content = content.ok_or_else(|| pavise_kernel::Error::missing_field("content"))?;
        if !is_draft {
            return self.go_live(content, "content");
        }
        self.draft = Some(content.clone()).filter(|draft| self.content.as_ref() != Some(draft));
        Ok(())
    }
}
