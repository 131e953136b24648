//! Ends the answer of a visitor.

use pavise_kernel::{Call, Result};

use super::support::replace::submit;
use super::support::visitor::load_by_code;
use crate::contract::v1::{Answer, AnswerStatus, SubmitPublicAnswerRequest};

pub(crate) async fn submit_public_answer(call: &Call, request: SubmitPublicAnswerRequest) -> Result<Answer> {
    let before = load_by_code(call, &request.user_id, &request.answer_id, &request.access_code).await?;
    if before.status() == AnswerStatus::Submitted {
        return call.answer_unchanged(before).await;
    }
    let after = submit(call, &before).await?;
    let mut unit = call.unit();
    let answer = unit.update(&before, after)?;
    unit.commit_answer(answer).await
}
