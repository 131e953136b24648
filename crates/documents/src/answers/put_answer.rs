//! Replaces the values of an open answer.

use pavise_kernel::{Call, Result};

use super::support::replace::replace_values;
use crate::contract::v1::{Answer, PutAnswerRequest};

pub(crate) async fn put_answer(call: &Call, request: PutAnswerRequest) -> Result<Answer> {
    let before: Answer = call.get(&request.answer_id).await?;
    let after = replace_values(call, &before, request.locale(), request.values).await?;
    let mut unit = call.unit();
    let answer = unit.update(&before, after)?;
    unit.commit_answer(answer).await
}
