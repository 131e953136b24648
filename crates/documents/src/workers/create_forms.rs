//! `documents.create_forms`: makes the forms of an answer that was submitted.

use std::collections::HashSet;

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Common, Error, Result, async_trait};
use tonic::{Code, Request};

use crate::contract::actions::answer as actions;
use crate::contract::feeds;
use crate::contract::v1::form_service_client::FormServiceClient;
use crate::contract::v1::form_template_service_client::FormTemplateServiceClient;
use crate::contract::v1::question_service_client::QuestionServiceClient;
use crate::contract::v1::{
    Answer, AnswerStatus, CreateFormRequest, FormTemplateStatus, GetFormTemplateRequest, GetQuestionRequest,
    ListFormsRequest,
};

/// The worker.
#[derive(Debug)]
pub(crate) struct CreateForms;

#[async_trait]
impl Worker for CreateForms {
    fn name(&self) -> &'static str {
        "documents.create_forms"
    }

    fn feed(&self) -> JournalFeed {
        feeds::ANSWERS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(answer) = worker::decode_entity::<Answer>(entry)? else { return Ok(()) };
        // The forms of a visitor are made when the answer has an owner.
        let is_due = answer.status() == AnswerStatus::Submitted && !answer.of_visitor && answer.form_ids.is_empty();
        if entry.removed || !is_due || ![actions::SUBMIT, actions::CHANGE_OWNER].contains(&entry.action.as_str()) {
            return Ok(());
        }
        let mut questions = QuestionServiceClient::new(work.peer_channel("documents"));
        let question =
            questions.get_question(Request::new(GetQuestionRequest { question_id: answer.question_id.clone() })).await;
        let Some(question) = work.skip_refused(question, "questionnaire")? else { return Ok(()) };
        make_forms(work, &answer, question.into_inner().template_ids).await
    }
}

/// Makes the forms of an answer that are missing.
///
/// # Errors
/// For an id that names no template, when the forms of the others are made: the entry is then parked.
async fn make_forms(work: &Work, answer: &Answer, template_ids: Vec<String>) -> Result<()> {
    let mut forms = FormServiceClient::new(work.peer_channel("documents"));
    let known = ListFormsRequest { answer_id: answer.id.clone(), page_size: 500, ..ListFormsRequest::default() };
    let known = forms.list_forms(Request::new(known)).await?.into_inner().forms;
    let known: HashSet<String> = known.into_iter().map(|form| form.template_id).collect();
    let mut failed = None;
    for template_id in template_ids.into_iter().filter(|id| !known.contains(id)) {
        let request = CreateFormRequest {
            identity_id: answer.owner_id.clone(),
            template_id: template_id.clone(),
            locale: answer.locale,
            answer_id: answer.id.clone(),
            ..CreateFormRequest::default()
        };
        let made = forms.create_form(work.new_request(request, &template_id)).await.map_err(Error::from);
        let Err(error) = made else { continue };
        if is_of_template(&error) && !is_retired(work, &template_id).await? {
            failed = Some(error);
            continue;
        }
        // A template that was retired makes no form, and an answer that was deleted has none.
        work.skip_refused(Err::<(), Error>(error), "form")?;
    }
    failed.map_or(Ok(()), Err)
}

/// Whether a form was refused for its template.
fn is_of_template(error: &Error) -> bool {
    error.is(Common::InvalidField) && error.violations().iter().any(|violation| violation.field == "template_id")
}

/// Whether forms were once made of a template.
async fn is_retired(work: &Work, template_id: &str) -> Result<bool> {
    let mut templates = FormTemplateServiceClient::new(work.peer_channel("documents"));
    let ask = GetFormTemplateRequest { form_template_id: template_id.to_owned() };
    match templates.get_form_template(Request::new(ask)).await {
        Ok(found) => Ok(found.into_inner().status() == FormTemplateStatus::Retired),
        Err(status) if status.code() == Code::NotFound => Ok(false),
        Err(status) => Err(Error::from(status)),
    }
}
