//! Fills a form that was made.

use pavise_kernel::{Call, Common, Error, Result};

use super::populate::to_map;
use crate::contract::actions::form as actions;
use crate::contract::v1::{
    Answer, AnswerStatus, FileContainer, FillFormRequest, Form, FormStatus, FormTemplate, QuestionVersion,
};
use crate::form_templates::rules::absent_error;
use crate::shared::filling::{choose_variant, fill_variant};
use crate::shared::printing::keep_pdf;

/// The most characters of a failure.
const LONGEST: usize = 500;

pub(crate) async fn fill_form(call: &Call, request: FillFormRequest) -> Result<Form> {
    let before: Form = call.get_only(&request.form_id, &[FormStatus::Created.spelling()]).await?;
    let (after, action) = match fill(call, &before).await {
        Ok(filled) => (filled, actions::FILLED),
        // Another try may pass.
        Err(error) if error.is_transient() || error.is(Common::NotConfigured) => return Err(error),
        Err(error) => {
            let failure = error.message().chars().take(LONGEST).collect();
            (Form { failure, status: FormStatus::Failed.into(), ..before.clone() }, actions::FAILED)
        }
    };
    let mut unit = call.unit();
    let form = unit.update_as(&before, after, action)?;
    unit.commit_answer(form).await
}

async fn fill(call: &Call, form: &Form) -> Result<Form> {
    let template: Option<FormTemplate> = call.find_unscoped(&form.template_id).await?;
    let template = template.ok_or_else(absent_error)?;
    let answer = load_answer(call, form).await?;
    let content = answer.as_ref().and_then(|(answer, version)| Some((answer, version.content.as_ref()?)));
    let locale = match (form.locale(), &answer) {
        (pavise_kernel::common::v1::Locale::Unspecified, Some((answer, _))) => answer.locale(),
        (locale, _) => locale,
    };
    let variant = choose_variant(&template, (form.region(), locale), call.today())?;
    let pdf = fill_variant(call, (&template, variant), locale, content, to_map(&form.values)).await?;
    let name = format!("{}.pdf", template.name);
    let file = keep_pdf(call, &form.owner_id, (FileContainer::Form, &form.id), &name, &pdf).await?;
    Ok(Form {
        status: FormStatus::Ready.into(),
        template_version: template.version,
        variant_id: variant.id.clone(),
        file_id: file.id,
        failure: String::new(),
        ..form.clone()
    })
}

/// The submitted answer that fills the form, with what it was an answer to.
async fn load_answer(call: &Call, form: &Form) -> Result<Option<(Answer, QuestionVersion)>> {
    if form.answer_id.is_empty() {
        return Ok(None);
    }
    let answer: Option<Answer> = call.find_unscoped(&form.answer_id).await?;
    let answer = answer.filter(|answer| answer.status() == AnswerStatus::Submitted && answer.owner_id == form.owner_id);
    let answer = answer.ok_or_else(|| Error::field("answer_id", "names no submitted answer of this identity"))?;
    let version = QuestionVersion::load_pinned(call, &answer.question_id, answer.question_version).await?;
    Ok(Some((answer, version)))
}
