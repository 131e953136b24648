//! Begins the answer of a visitor to a public questionnaire.

use pavise_kernel::{Call, Error, Result};

use super::support::access_code::{digest_code, new_code};
use super::support::begin::{App, begin, load_open};
use super::support::people::identity_exists;
use super::support::visitor::find_end;
use crate::contract::v1::{Answer, CreatePublicAnswerRequest, CreatePublicAnswerResponse};

pub(crate) async fn create_public_answer(
    call: &Call,
    request: CreatePublicAnswerRequest,
) -> Result<CreatePublicAnswerResponse> {
    let app = App { platform: request.platform(), version: &request.app_version };
    let question = load_open(call, &request.question_id, app).await?;
    if !question.public {
        return Err(Error::field("question_id", "there is no such questionnaire"));
    }
    if identity_exists(call, &request.user_id).await? {
        return Err(Error::field("user_id", "is no fresh id"));
    }
    let code = new_code(call);
    let draft = Answer {
        owner_id: request.user_id,
        locale: request.locale,
        of_visitor: true,
        code_digest: digest_code(&code),
        ends_at: Some(find_end(call)),
        ..Answer::default()
    };
    let answer = begin(call, &question, draft, request.values, None).await?;
    let mut unit = call.unit();
    let answer = unit.create(answer)?;
    let id = answer.id.clone();
    // The stored answer for a repeat lacks the code.
    let kept = CreatePublicAnswerResponse { answer: Some(answer), access_code: String::new() };
    let mut answered = unit.commit_answer(kept).await?;
    if !call.validate_only() && answered.answer.as_ref().is_some_and(|answer| answer.id == id) {
        answered.access_code = code;
    }
    Ok(answered)
}
