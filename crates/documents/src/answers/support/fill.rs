//! The results of an answer's values: its progress, its problems, and its files.

use pavise_kernel::common::v1::Date;
use pavise_kernel::{Error, Result};

use super::values::{admit_values, list_files};
use crate::contract::v1::{
    Answer, AnswerProblem, AnswerProblemKind, AnswerProgress, AnswerStatus, AnswerValue, ErrorReason, QuestionContent,
    QuestionVersion,
};
use crate::shared::logic::{ContentIndex, Evaluation, Place, evaluate};
use crate::shared::violations::Violations;

/// The most problems that an answer names.
const MOST_PROBLEMS: usize = 500;

/// The pages of a version.
pub(crate) fn content_of(version: &QuestionVersion) -> Result<&QuestionContent> {
    version.content.as_ref().ok_or_else(|| Error::internal(format!("the version {} has no content", version.id)))
}

impl Answer {
    /// Takes values, and says how far it has come and what is not right yet.
    pub(crate) fn fill(&mut self, content: &QuestionContent, values: Vec<AnswerValue>, today: Date) -> Result<()> {
        let index = ContentIndex::new(content);
        self.values = admit_values(&index, values)?;
        self.file_ids = list_files(&self.values);
        let found = evaluate(&index, &self.values, today);
        self.record(&index, &found);
        Ok(())
    }

    /// Ends it, without the values of what is not shown. It is refused while something that is shown is wrong.
    pub(crate) fn submit(&mut self, content: &QuestionContent, today: Date) -> Result<()> {
        let index = ContentIndex::new(content);
        let found = evaluate(&index, &self.values, today);
        let mut wrong = Violations::default();
        for (place, kind) in &found.problems {
            if let Some(indexed) = index.items.get(place.item) {
                let row = if place.row > 0 { format!(".{}", place.row) } else { String::new() };
                wrong.add(format!("values[{}{row}]", indexed.item.id), describe(*kind));
            }
        }
        wrong.refuse_as(ErrorReason::AnswerIncomplete)?;
        let is_shown = |value: &AnswerValue| {
            let place = index.find_item(&value.item_id).zip(u32::try_from(value.row).ok());
            place.is_some_and(|(item, row)| found.visible.contains(&Place { item, row }))
        };
        self.values.retain(is_shown);
        self.file_ids = list_files(&self.values);
        self.record(&index, &found);
        self.set_status(AnswerStatus::Submitted);
        Ok(())
    }

    fn record(&mut self, index: &ContentIndex<'_>, found: &Evaluation) {
        let count = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        self.progress = Some(AnswerProgress {
            total_items: count(index.items.len()),
            visible_items: count(found.count_items()),
            places: count(found.places),
            answered: count(found.answered),
        });
        let problems = found.problems.iter().take(MOST_PROBLEMS);
        self.problems = problems.filter_map(|(place, kind)| build_problem(index, *place, *kind)).collect();
    }
}

fn build_problem(index: &ContentIndex<'_>, place: Place, kind: AnswerProblemKind) -> Option<AnswerProblem> {
    let indexed = index.items.get(place.item)?;
    Some(AnswerProblem {
        item_id: indexed.item.id.clone(),
        row: i32::try_from(place.row).ok()?,
        kind: kind.into(),
        page_id: indexed.page.id.clone(),
    })
}

fn describe(kind: AnswerProblemKind) -> &'static str {
    match kind {
        AnswerProblemKind::Missing => "it needs an answer",
        AnswerProblemKind::TooLittle => "it is less than it may be",
        AnswerProblemKind::TooMuch => "it is more than it may be",
        AnswerProblemKind::Stopped => "the questionnaire ends here",
        AnswerProblemKind::Unspecified => "it is wrong",
    }
}
