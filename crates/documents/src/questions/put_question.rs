//! Replaces a questionnaire, which goes live at once unless it is a draft.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{PutQuestionRequest, Question};

impl Edit<PutQuestionRequest> for Question {
    fn edit(&mut self, request: &PutQuestionRequest, _context: &EditContext) -> Result<()> {
        self.name.clone_from(&request.name);
        self.kind = request.kind;
        self.public = request.public;
        self.template_ids.clone_from(&request.template_ids);
        self.take_content(request.content.as_ref(), request.draft)
    }
}
