//! Sends letters to somebody in whose name staff changed something, to former addresses, too.

use pavise_kernel::common::v1::{TellSubjectRequest, TellSubjectResponse};
use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::Identity;
use crate::shared::addresses;
use crate::shared::notices::Template;
use crate::shared::tools::Tools as _;

pub(crate) async fn tell_subject(call: &Call, request: TellSubjectRequest) -> Result<TellSubjectResponse> {
    let service = call.identities()?;
    let subject = call.find_unscoped::<Identity>(&request.identity_id).await?;
    let subject = subject.ok_or_else(|| Error::not_found("identity", &request.identity_id))?;
    let letters = addresses::build_letters(call, &subject, Template::ActedFor).await?;
    let told = !letters.is_empty();
    let mut unit = call.unit();
    for letter in letters {
        service.notices.enqueue_letter(call, &mut unit, letter)?;
    }
    unit.commit_answer(TellSubjectResponse { told }).await
}
