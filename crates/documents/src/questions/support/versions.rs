//! Frozen versions of questionnaires.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{Question, QuestionVersion};

impl QuestionVersion {
    /// The id of a version.
    pub(crate) fn id_of(question_id: &str, number: i32) -> String {
        format!("{question_id}.{number}")
    }

    /// A frozen copy of what is live; none of a questionnaire that is not.
    pub(crate) fn freeze_live(question: &Question) -> Option<Self> {
        let content = question.content.clone()?;
        Some(Self {
            id: Self::id_of(&question.id, question.live_version),
            question_id: question.id.clone(),
            question_version: question.live_version,
            name: question.name.clone(),
            content: Some(content),
            ..Self::default()
        })
    }

    /// The version that an answer is pinned to.
    pub(crate) async fn load_pinned(call: &Call, question_id: &str, number: i32) -> Result<Self> {
        let id = Self::id_of(question_id, number);
        let found = call.find_unscoped(&id).await?;
        found.ok_or_else(|| Error::internal(format!("the version {id} of a questionnaire is missing")))
    }
}
