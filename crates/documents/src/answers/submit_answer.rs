//! Ends an answer.

use pavise_kernel::{Call, Result};

use super::support::replace::submit;
use crate::contract::v1::{Answer, AnswerStatus, SubmitAnswerRequest};

pub(crate) async fn submit_answer(call: &Call, request: SubmitAnswerRequest) -> Result<Answer> {
    let before: Answer = call.get(&request.answer_id).await?;
    if before.status() == AnswerStatus::Submitted {
        return call.answer_unchanged(before).await;
    }
    let after = submit(call, &before).await?;
    let mut unit = call.unit();
    let answer = unit.update(&before, after)?;
    unit.commit_answer(answer).await
}
