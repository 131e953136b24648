//! Gives an answer to an account.

use pavise_kernel::{Call, Error, Result};

use super::support::people::check_person;
use crate::contract::roles;
use crate::contract::v1::{Answer, ChangeAnswerOwnerRequest};

pub(crate) async fn change_answer_owner(call: &Call, request: ChangeAnswerOwnerRequest) -> Result<Answer> {
    let unknown = || Error::not_found("answer", &request.answer_id);
    let is_member = call.has_role(roles::MEMBER);
    if is_member && request.new_owner_id != call.caller().identity {
        return Err(Error::field("new_owner_id", "is not the caller"));
    }
    let found: Option<Answer> = call.find_unscoped(&request.answer_id).await?;
    let before = found.unwrap_or_default();
    // The code is compared in any case, so that an answer that does not exist takes the same time.
    let is_opened = before.is_opened_by(&request.access_code);
    if before.id.is_empty() || (is_member && !is_opened && before.owner_id != request.new_owner_id) {
        return Err(unknown());
    }
    // A repeat names the owner before.
    if before.owner_id == request.new_owner_id {
        return call.answer_unchanged(before).await;
    }
    if before.owner_id != request.user_id {
        return Err(unknown());
    }
    call.check_transition(&before)?;
    check_person(call, "new_owner_id", &request.new_owner_id).await?;
    let after = Answer {
        owner_id: request.new_owner_id.clone(),
        of_visitor: false,
        code_digest: String::new(),
        ends_at: None,
        ..before.clone()
    };
    let mut unit = call.unit();
    let answer = unit.update(&before, after)?;
    unit.commit_answer(answer).await
}
