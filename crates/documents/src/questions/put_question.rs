//! Replaces a questionnaire, which goes live at once unless it is a draft.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::templates::check_templates;
use crate::contract::v1::{PutQuestionRequest, Question, QuestionStatus};

impl CheckRequest<PutQuestionRequest> for Question {
    async fn check_request(call: &Call, entity: Option<&Self>, request: &PutQuestionRequest) -> Result<()> {
        // A draft of other pages leaves a questionnaire live, with the templates of the request.
        let is_live = entity.is_some_and(|question| question.status() == QuestionStatus::Active);
        if request.draft && !is_live {
            return Ok(());
        }
        check_templates(call, &request.template_ids).await
    }
}

impl Edit<PutQuestionRequest> for Question {
    fn edit(&mut self, request: &PutQuestionRequest, _context: &EditContext) -> Result<()> {
        self.name.clone_from(&request.name);
        self.kind = request.kind;
        self.public = request.public;
        self.template_ids.clone_from(&request.template_ids);
        self.take_content(request.content.as_ref(), request.draft)
    }
}
