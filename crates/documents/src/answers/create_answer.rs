//! Begins the answer of a member to the live version of a questionnaire.

use pavise_kernel::{Call, Error, Result};

use super::support::begin::{App, begin, load_open};
use crate::contract::v1::{Answer, CreateAnswerRequest};

pub(crate) async fn create_answer(call: &Call, request: CreateAnswerRequest) -> Result<Answer> {
    let app = App { platform: request.platform(), version: &request.app_version };
    let question = load_open(call, &request.question_id, app).await?;
    let earlier = find_earlier(call, &request.copy_from).await?;
    let draft = Answer {
        owner_id: call.owner().to_owned(),
        locale: request.locale,
        entitlement_id: request.entitlement_id,
        service_request_id: request.service_request_id,
        time_zone: request.time_zone,
        ..Answer::default()
    };
    let mut answer = begin(call, &question, draft, request.values, earlier).await?;
    answer.plan_reminder(&question.reminder_configs, call.now());
    let mut unit = call.unit();
    let answer = unit.create(answer)?;
    unit.commit_answer(answer).await
}

/// The earlier answer of the same owner. Of another one it is as if there were none.
async fn find_earlier(call: &Call, id: &str) -> Result<Option<Answer>> {
    if id.is_empty() {
        return Ok(None);
    }
    let found: Option<Answer> = call.find_unscoped(id).await?;
    let own = found.filter(|answer| answer.owner_id == call.owner());
    own.map(Some).ok_or_else(|| Error::field("copy_from", "the member has no such answer"))
}
