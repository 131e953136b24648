//! Replaces the values of a visitor's open answer.

use pavise_kernel::{Call, Result};

use super::support::replace::replace_values;
use super::support::visitor::{find_end, load_by_code};
use crate::contract::v1::{Answer, PutPublicAnswerRequest};

pub(crate) async fn put_public_answer(call: &Call, request: PutPublicAnswerRequest) -> Result<Answer> {
    let before = load_by_code(call, &request.user_id, &request.answer_id, &request.access_code).await?;
    let mut after = replace_values(call, &before, request.locale(), request.values).await?;
    after.ends_at = Some(find_end(call));
    let mut unit = call.unit();
    let answer = unit.update(&before, after)?;
    unit.commit_answer(answer).await
}
