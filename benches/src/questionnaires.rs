//! The evaluation of a questionnaire: what its form does at each value that is typed, and the server at each write.

use std::time::{Duration, Instant};

use pavise_documents::contract::v1::{
    AnswerValue, QuestionCondition, QuestionConditionKind, QuestionContent, QuestionItem, QuestionItemType,
    QuestionPage,
};
use pavise_documents::count_answered;
use pavise_kernel::common::v1::Date;

use crate::loops::Speed;

/// A day on which nothing depends.
const TODAY: Date = Date { year: 2026, month: 3, day: 1 };

/// Evaluates one page of so many items until the time is over. Each item depends on all before it.
///
/// # Errors
/// When an item is not shown with its answer, or there was no time for one evaluation.
pub(crate) fn evaluate(items: usize, span: Duration) -> anyhow::Result<Speed> {
    let content = make_content(items);
    let values: Vec<AnswerValue> = (0..items).map(make_value).collect();
    let (began, mut times) = (Instant::now(), Vec::new());
    while began.elapsed() < span {
        let before = Instant::now();
        let answered = count_answered(&content, &values, TODAY);
        times.push(before.elapsed());
        anyhow::ensure!(answered == items, "only {answered} of {items} items are shown with their answers");
    }
    Speed::of(times, began.elapsed())
}

/// One page, on which each item but the first is shown when the one before it is answered.
fn make_content(items: usize) -> QuestionContent {
    let conditions = (1..items).map(|at| QuestionCondition {
        id: format!("c{at}"),
        kind: QuestionConditionKind::Answered.into(),
        item_id: format!("i{}", at.saturating_sub(1)),
        ..QuestionCondition::default()
    });
    let page = QuestionPage { items: (0..items).map(make_item).collect(), ..QuestionPage::default() };
    QuestionContent { pages: vec![page], conditions: conditions.collect(), ..QuestionContent::default() }
}

fn make_item(at: usize) -> QuestionItem {
    let visible_if = if at == 0 { String::new() } else { format!("c{at}") };
    QuestionItem {
        id: format!("i{at}"),
        r#type: QuestionItemType::Boolean.into(),
        required: true,
        visible_if,
        ..QuestionItem::default()
    }
}

fn make_value(at: usize) -> AnswerValue {
    AnswerValue { item_id: format!("i{at}"), boolean: Some(true), ..AnswerValue::default() }
}
