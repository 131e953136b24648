//! Makes a questionnaire, which is live at once unless it is a draft.

use pavise_kernel::{Call, Result};

use super::support::templates::check_templates;
use crate::contract::v1::{CreateQuestionRequest, Question, QuestionStatus, QuestionVersion};

pub(crate) async fn create_question(call: &Call, request: CreateQuestionRequest) -> Result<Question> {
    let mut question = Question {
        id: call.new_id(),
        name: request.name,
        kind: request.kind,
        public: request.public,
        template_ids: request.template_ids,
        supported_mobile_versions: request.supported_mobile_versions,
        reminder_configs: request.reminder_configs,
        ..Question::default()
    };
    for config in question.reminder_configs.iter_mut().filter(|config| config.id.is_empty()) {
        config.id = call.new_id();
    }
    question.set_status(QuestionStatus::Draft);
    question.take_content(request.content.as_ref(), request.draft)?;
    if !request.draft {
        check_templates(call, &question.template_ids).await?;
    }
    let version = QuestionVersion::freeze_live(&question);
    let mut unit = call.unit();
    let question = unit.create(question)?;
    if let Some(version) = version {
        unit.create(version)?;
    }
    unit.commit_answer(question).await
}
