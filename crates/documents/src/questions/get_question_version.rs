//! Answers a frozen version of a questionnaire.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{GetQuestionVersionRequest, QuestionVersion};

pub(crate) async fn get_question_version(call: &Call, request: GetQuestionVersionRequest) -> Result<QuestionVersion> {
    call.get(&QuestionVersion::id_of(&request.question_id, request.question_version)).await
}
