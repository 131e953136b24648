//! Replaces the values of an open answer, and ends it.

use pavise_kernel::common::v1::Locale;
use pavise_kernel::{Call, Common, Result};

use super::begin::choose_locale;
use super::fill::content_of;
use crate::contract::v1::{Answer, AnswerValue, File, FileStatus, QuestionVersion};
use crate::shared::violations::Violations;

/// The answer with other values, by the version that it is pinned to.
pub(crate) async fn replace_values(
    call: &Call,
    before: &Answer,
    locale: Locale,
    values: Vec<AnswerValue>,
) -> Result<Answer> {
    call.check_transition(before)?;
    let version = QuestionVersion::load_pinned(call, &before.question_id, before.question_version).await?;
    let content = content_of(&version)?;
    let mut after = before.clone();
    if locale != Locale::Unspecified {
        after.locale = choose_locale(locale, content.locales().collect())?.into();
    }
    after.fill(content, values, call.today())?;
    Ok(after)
}

/// The answer as it is submitted.
pub(crate) async fn submit(call: &Call, before: &Answer) -> Result<Answer> {
    call.check_transition(before)?;
    let version = QuestionVersion::load_pinned(call, &before.question_id, before.question_version).await?;
    let mut after = before.clone();
    after.submit(content_of(&version)?, call.today())?;
    check_files(call, &after).await?;
    after.submitted_at = Some(call.timestamp());
    after.ends_at = None;
    after.next_reminder_at = None;
    Ok(after)
}

/// Refuses files of others, and files that are not there any more.
async fn check_files(call: &Call, answer: &Answer) -> Result<()> {
    if answer.file_ids.is_empty() {
        return Ok(());
    }
    let files: Vec<File> = call.find_many(&answer.file_ids).await?;
    let is_own = |id: &String| {
        files
            .iter()
            .any(|file| file.id == *id && file.owner_id == answer.owner_id && file.status() != FileStatus::Deleted)
    };
    let mut wrong = Violations::default();
    for value in &answer.values {
        for (at, _) in value.file_ids.iter().enumerate().filter(|(_, id)| !is_own(id)) {
            wrong.add(format!("values[{}].file_ids[{at}]", value.item_id), "is no file of the person who answers");
        }
    }
    wrong.refuse_as(Common::InvalidField)
}
