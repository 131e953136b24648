//! `documents.create_forms`: makes the forms of an answer that was submitted.

use std::collections::HashSet;

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};
use tonic::Request;

use crate::contract::actions::answer as actions;
use crate::contract::feeds;
use crate::contract::v1::form_service_client::FormServiceClient;
use crate::contract::v1::question_service_client::QuestionServiceClient;
use crate::contract::v1::{Answer, AnswerStatus, CreateFormRequest, GetQuestionRequest, ListFormsRequest};

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
            questions.get_question(Request::new(GetQuestionRequest { question_id: answer.question_id })).await;
        let Some(question) = work.skip_refused(question, "questionnaire")? else { return Ok(()) };
        let mut forms = FormServiceClient::new(work.peer_channel("documents"));
        let known = ListFormsRequest { answer_id: answer.id.clone(), page_size: 500, ..ListFormsRequest::default() };
        let known = forms.list_forms(Request::new(known)).await?.into_inner().forms;
        let known: HashSet<String> = known.into_iter().map(|form| form.template_id).collect();
        for template_id in question.into_inner().template_ids.into_iter().filter(|id| !known.contains(id)) {
            let request = CreateFormRequest {
                identity_id: answer.owner_id.clone(),
                template_id: template_id.clone(),
                locale: answer.locale,
                answer_id: answer.id.clone(),
                ..CreateFormRequest::default()
            };
            // A template that was retired makes no form.
            work.skip_refused(forms.create_form(work.new_request(request, &template_id)).await, "form")?;
        }
        Ok(())
    }
}
