//! The door of `benches/run` to the logic of questionnaires. The platform uses the logic itself.

use pavise_kernel::common::v1::Date;

use super::logic::{ContentIndex, evaluate};
use crate::contract::v1::{AnswerValue, QuestionContent};

/// Evaluates a questionnaire with values on a day, as a write of an answer does. Answers how many places are shown and
/// answered there.
#[must_use]
pub fn count_answered(content: &QuestionContent, values: &[AnswerValue], today: Date) -> usize {
    evaluate(&ContentIndex::new(content), values, today).answered
}
