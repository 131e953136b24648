//! The demonstration's part of documents: questionnaires and their answers.

mod answers;
mod forms;
pub mod questionnaires;

use pavise_kernel::Result;
use pavise_kernel::worker::Work;
use tonic::Request;

use crate::contract::v1::question_service_client::QuestionServiceClient;
use crate::contract::v1::{ListQuestionsRequest, Question};

/// Makes what is not there yet.
pub(crate) async fn load_documents(work: &Work) -> Result<()> {
    let mut questions = QuestionServiceClient::new(work.peer_channel("documents"));
    let ask = ListQuestionsRequest { page_size: 500, ..ListQuestionsRequest::default() };
    let known = questions.list_questions(Request::new(ask)).await?.into_inner().questions;
    let mut all: Vec<Question> = Vec::new();
    for request in questionnaires::list_requests()? {
        let name = request.name.clone();
        if let Some(question) = known.iter().find(|question| question.name == name) {
            all.push(question.clone());
            continue;
        }
        let made = questions.create_question(work.new_request(request, &name)).await;
        all.extend(work.skip_refused(made, &name)?.map(tonic::Response::into_inner));
    }
    answers::load_answers(work, &all).await?;
    forms::load_forms(work).await
}
