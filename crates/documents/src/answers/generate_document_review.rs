//! Prints the questions and answers of a submitted answer.

use std::collections::BTreeMap;

use pavise_kernel::time::{to_date, to_micros};
use pavise_kernel::{Call, Result};

use super::support::fill::content_of;
use crate::contract::v1::{Answer, AnswerReview, File, FileContainer, GenerateDocumentReviewRequest, QuestionVersion};
use crate::files::support::pages::print_error;
use crate::shared::printing::keep_pdf;
use crate::shared::review::build_review;
use crate::shared::tools::Tools as _;

/// The name of the file.
const NAME: &str = "review.pdf";

pub(crate) async fn generate_document_review(call: &Call, request: GenerateDocumentReviewRequest) -> Result<Answer> {
    let before: Answer = call.get(&request.answer_id).await?;
    call.check_transition(&before)?;
    let version = QuestionVersion::load_pinned(call, &before.question_id, before.question_version).await?;
    let files: Vec<File> = call.find_many(&before.file_ids).await?;
    let own = files.into_iter().filter(|file| file.owner_id == before.owner_id);
    let names: BTreeMap<String, String> = own.map(|file| (file.id, file.name)).collect();
    let submitted = before.submitted_at.as_ref().map(|at| to_date(to_micros(at)));
    let page = build_review(content_of(&version)?, &before, &names, (call.today(), submitted));
    let mut after = before.clone();
    if !call.validate_only() {
        let pdf = call.tools()?.printer.print_html(page).await.map_err(print_error)?;
        let file = keep_pdf(call, &before.owner_id, (FileContainer::Answer, &before.id), NAME, &pdf).await?;
        after.review = Some(AnswerReview { file_id: file.id, made_at: Some(call.timestamp()) });
    }
    let mut unit = call.unit();
    let answer = unit.update(&before, after)?;
    unit.commit_answer(answer).await
}
