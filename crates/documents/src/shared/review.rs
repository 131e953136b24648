//! The print of all questions and answers, in reading order.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pavise_kernel::common::v1::Date;

use crate::contract::v1::{Answer, QuestionContent, QuestionItemType};
use crate::shared::answer_text::{ReaderWords, pick_value};
use crate::shared::logic::{ContentIndex, Place, evaluate};

const STYLE: &str = "body{font:11pt Helvetica,Arial,sans-serif;margin:0}h1{font-size:18pt}h2{font-size:13pt;border-bottom:1px solid #888}
dl{margin:0}dt{font-weight:bold;margin-top:8pt}dd{margin:2pt 0 0 12pt;white-space:pre-wrap;overflow-wrap:anywhere}section{margin-bottom:14pt}";

/// The page in HTML. It has what the questionnaire shows with these values, and nothing else.
pub(crate) fn build_review(
    content: &QuestionContent,
    answer: &Answer,
    files: &BTreeMap<String, String>,
    (today, submitted): (Date, Option<Date>),
) -> String {
    let wording = ReaderWords::of(answer.locale());
    let index = ContentIndex::new(content);
    let shown = evaluate(&index, &answer.values, today).visible;
    let title = escape(wording.pick_text(&content.titles));
    let mut page = format!(
        "<!DOCTYPE html><html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{title}</title><style>{STYLE}</style></head><body><h1>{title}</h1>",
        wording.language()
    );
    if let Some(day) = submitted {
        let _ = write!(page, "<p>{} {}</p>", wording.submitted_on(), escape(&wording.show_date(day)));
    }
    let mut last_page = None;
    for Place { item, row } in shown {
        let Some(indexed) = index.items.get(item) else { continue };
        if last_page != Some(indexed.page.id.as_str()) {
            page.push_str(if last_page.is_some() { "</dl></section><section>" } else { "<section>" });
            let _ = write!(page, "<h2>{}</h2><dl>", escape(wording.pick_text(&indexed.page.titles)));
            last_page = Some(indexed.page.id.as_str());
        }
        let (label, number) = (escape(wording.pick_text(&indexed.item.labels)), i32::try_from(row).unwrap_or_default());
        if indexed.item.r#type() == QuestionItemType::Info {
            let _ = write!(page, "<dt>{label}</dt>");
            continue;
        }
        let numbered = if row > 0 { format!("{row}. {label}") } else { label };
        let value = pick_value(&answer.values, &indexed.item.id, number);
        let text = value.map(|value| wording.show_value(indexed.item, value, files)).filter(|text| !text.is_empty());
        let text = text.unwrap_or_else(|| wording.unanswered_mark().to_owned());
        let _ = write!(page, "<dt>{numbered}</dt><dd>{}</dd>", escape(&text));
    }
    if last_page.is_some() {
        page.push_str("</dl></section>");
    }
    page.push_str("</body></html>");
    page
}

/// A text that is no markup.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{AnswerValue, QuestionItem, QuestionPage};
    use pavise_kernel::common::v1::{Locale, LocalizedText};

    fn words(text: &str) -> Vec<LocalizedText> {
        vec![LocalizedText { locale: Locale::EnUs.into(), text: text.to_owned() }]
    }

    #[test]
    fn questions_and_answers_have_the_reading_order_and_are_no_markup() {
        let item = |id: &str, label: &str| QuestionItem {
            id: id.to_owned(),
            r#type: QuestionItemType::Text.into(),
            labels: words(label),
            ..QuestionItem::default()
        };
        let page =
            |id: &str, items| QuestionPage { id: id.to_owned(), titles: words(id), items, ..QuestionPage::default() };
        let pages =
            vec![page("one", vec![item("b", "Second <b>"), item("a", "First")]), page("two", vec![item("c", "Third")])];
        let content = QuestionContent { titles: words("Will & more"), pages, ..QuestionContent::default() };
        let value = |id: &str, text: &str| AnswerValue {
            item_id: id.to_owned(),
            text: text.to_owned(),
            ..AnswerValue::default()
        };
        let values = vec![value("a", "x"), value("b", "<script>")];
        let answer = Answer { values, ..Answer::default() };
        let day = Date { year: 2026, month: 1, day: 2 };
        let page = build_review(&content, &answer, &BTreeMap::new(), (day, Some(day)));
        let order = [
            "Will &amp; more",
            "January 2, 2026",
            "one",
            "Second &lt;b&gt;",
            "&lt;script&gt;",
            "First",
            "x",
            "two",
            "Third",
            "Not answered",
        ];
        let body = page.split_once("<body>").unwrap().1;
        let mut rest = body;
        for part in order {
            rest = rest.split_once(part).unwrap_or_else(|| panic!("{part} is missing in {rest}")).1;
        }
        assert!(!page.contains("<script>"));
    }
}
