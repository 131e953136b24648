//! The answers of visitors, who have no account.

use pavise_kernel::time::{DAY, to_timestamp};
use pavise_kernel::{Call, Error, Result};
use prost_types::Timestamp;

use crate::contract::v1::Answer;

/// The days without a change after which an unfinished one ends.
const DAYS: i64 = 30;

/// When an unfinished answer ends that is changed now.
pub(crate) fn find_end(call: &Call) -> Timestamp {
    to_timestamp(call.now().saturating_add(DAY.saturating_mul(DAYS)))
}

/// Loads the answer of a visitor by its access code. Without the code it is as one that does not exist.
pub(crate) async fn load_by_code(call: &Call, user_id: &str, answer_id: &str, code: &str) -> Result<Answer> {
    let found: Option<Answer> = call.find_unscoped(answer_id).await?;
    // The code is compared in any case, so that an answer that does not exist takes the same time.
    let answer = found.unwrap_or_default();
    let is_right = answer.is_opened_by(code) && answer.owner_id == user_id;
    if is_right { Ok(answer) } else { Err(Error::not_found("answer", answer_id)) }
}
