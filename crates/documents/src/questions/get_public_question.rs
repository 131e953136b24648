//! Answers a questionnaire that everybody may answer.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{GetPublicQuestionRequest, Question, QuestionStatus};

pub(crate) async fn get_public_question(call: &Call, request: GetPublicQuestionRequest) -> Result<Question> {
    let question: Question = call.get(&request.question_id).await?;
    if !question.public || question.status() != QuestionStatus::Active {
        return Err(Error::not_found("question", &request.question_id));
    }
    // Staff get no more here than everybody.
    Ok(Question { draft: None, ..question })
}
