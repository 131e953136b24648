//! Writes a comment on a member for a program.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::texts::write_texts;
use crate::contract::v1::{AutoComment, AutoCommentPriority, AutoCommentSubjectType, CreateAutoCommentRequest};
use crate::shared::entitlements::check_entitlement;

impl CheckRequest<CreateAutoCommentRequest> for AutoComment {
    /// Refuses a comment about an entitlement of somebody else.
    async fn check_request(call: &Call, _: Option<&Self>, request: &CreateAutoCommentRequest) -> Result<()> {
        if request.subject_type() != AutoCommentSubjectType::Entitlement {
            return Ok(());
        }
        check_entitlement(call, call.owner(), &request.subject_id, "subject_id").await
    }
}

impl Edit<CreateAutoCommentRequest> for AutoComment {
    fn edit(&mut self, request: &CreateAutoCommentRequest, _context: &EditContext) -> Result<()> {
        self.texts = write_texts(request.key(), request.subject_type(), &request.parameters)?;
        if self.priority() == AutoCommentPriority::Unspecified {
            self.priority = AutoCommentPriority::Low.into();
        }
        Ok(())
    }
}
