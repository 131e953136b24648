//! Makes a form, which a worker fills.

use pavise_kernel::{Call, CheckRequest, Error, Result};

use crate::contract::v1::{
    Answer, AnswerStatus, CreateFormRequest, ErrorReason, Form, FormTemplate, FormTemplateStatus,
};
use crate::form_templates::rules::absent_error;
use crate::shared::filling::choose_variant;

impl CheckRequest<CreateFormRequest> for Form {
    async fn check_request(call: &Call, _entity: Option<&Self>, request: &CreateFormRequest) -> Result<()> {
        let template: Option<FormTemplate> = call.find_unscoped(&request.template_id).await?;
        let template = template.filter(|one| one.status() == FormTemplateStatus::Active).ok_or_else(absent_error)?;
        choose_variant(&template, (request.region(), request.locale()), call.today())?;
        if request.answer_id.is_empty() {
            return Ok(());
        }
        let answer: Option<Answer> = call.find_unscoped(&request.answer_id).await?;
        let own = answer.filter(|answer| answer.owner_id == call.owner() && answer.status() != AnswerStatus::Deleted);
        let answer = own.ok_or_else(|| Error::field("answer_id", "names no answer of this identity"))?;
        if answer.status() == AnswerStatus::Submitted {
            return Ok(());
        }
        let message = format!("the answer is {}: submit it first", answer.status().spelling());
        Err(Error::new(ErrorReason::AnswerNotSubmitted, message))
    }
}
