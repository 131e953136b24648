//! The questionnaires of the demonstration: a will, four intakes and a survey. Each is a table beside this file, with a
//! line for each page, item, choice and condition, and its texts in English, Spanish and French.

use pavise_kernel::common::v1::{Date, Locale, LocalizedText};
use pavise_kernel::{Error, Result};

use crate::contract::v1::{
    CreateQuestionRequest, IntervalType, QuestionBounds, QuestionChoice, QuestionCondition, QuestionConditionKind,
    QuestionContent, QuestionItem, QuestionItemType, QuestionKind, QuestionOperator, QuestionPage, ReminderChannel,
    ReminderConfig,
};

/// The tables: the name, the kind, whether it is public, and the lines.
const TABLES: [(&str, QuestionKind, bool, &str); 6] = [
    ("last-will", QuestionKind::Document, false, include_str!("last-will.tsv")),
    ("intake-housing", QuestionKind::Intake, false, include_str!("intake-housing.tsv")),
    ("intake-family", QuestionKind::Intake, false, include_str!("intake-family.tsv")),
    ("intake-traffic", QuestionKind::Intake, false, include_str!("intake-traffic.tsv")),
    ("intake-consumer", QuestionKind::Intake, false, include_str!("intake-consumer.tsv")),
    ("service-survey", QuestionKind::Survey, true, include_str!("service-survey.tsv")),
];

/// The requests that make the questionnaires.
///
/// # Errors
/// When a table cannot be read: an error of the program.
pub fn list_requests() -> Result<Vec<CreateQuestionRequest>> {
    let build = |(name, kind, public, lines): (&str, QuestionKind, bool, &str)| {
        Ok(CreateQuestionRequest {
            name: name.to_owned(),
            kind: kind.into(),
            public,
            content: Some(read_content(lines)?),
            reminder_configs: if kind == QuestionKind::Document { vec![build_reminder()] } else { Vec::new() },
            ..CreateQuestionRequest::default()
        })
    };
    TABLES.into_iter().map(build).collect()
}

fn build_reminder() -> ReminderConfig {
    ReminderConfig {
        id: "every-three-days".to_owned(),
        interval: 3,
        interval_type: IntervalType::Day.into(),
        channel: ReminderChannel::Email.into(),
        template_key: "documents.reminder".to_owned(),
        at_most: 3,
    }
}

fn read_content(lines: &str) -> Result<QuestionContent> {
    let locales = [Locale::EnUs, Locale::EsUs, Locale::EnCa, Locale::FrCa];
    let mut content =
        QuestionContent { locales: locales.into_iter().map(Into::into).collect(), ..QuestionContent::default() };
    for line in lines.lines() {
        read_line(&mut content, line)
            .ok_or_else(|| Error::internal(format!("a questionnaire of the demonstration has the line {line:?}")))?;
    }
    Ok(content)
}

fn read_line(content: &mut QuestionContent, line: &str) -> Option<()> {
    let fields: Vec<&str> = line.split('\t').collect();
    match *fields.as_slice() {
        ["title", en, es, fr] => content.titles = build_texts(en, es, fr),
        ["page", id, visible_if, en, es, fr] => content.pages.push(QuestionPage {
            id: id.to_owned(),
            titles: build_texts(en, es, fr),
            visible_if: visible_if.to_owned(),
            items: Vec::new(),
        }),
        ["item", id, kind, options, en, es, fr] => {
            let mut item = QuestionItem {
                id: id.to_owned(),
                r#type: QuestionItemType::from_spelling(kind)?.into(),
                labels: build_texts(en, es, fr),
                ..QuestionItem::default()
            };
            options.split_whitespace().try_for_each(|option| read_option(&mut item, option))?;
            content.pages.last_mut()?.items.push(item);
        }
        ["choice", id, en, es, fr] => {
            let choice = QuestionChoice { id: id.to_owned(), labels: build_texts(en, es, fr) };
            content.pages.last_mut()?.items.last_mut()?.choices.push(choice);
        }
        ["stop", en, es, fr] => {
            content.pages.last_mut()?.items.last_mut()?.stop_texts = build_texts(en, es, fr);
        }
        ["condition", id, kind, parts] => content.conditions.push(read_condition(id, kind, parts)?),
        _ => return None,
    }
    Some(())
}

fn read_option(item: &mut QuestionItem, option: &str) -> Option<()> {
    let (name, value) = option.split_once('=').unwrap_or((option, ""));
    match name {
        "required" => item.required = true,
        "sealed" => item.sealed = true,
        "if" => value.clone_into(&mut item.visible_if),
        "need" => value.clone_into(&mut item.required_if),
        "stop" => value.clone_into(&mut item.stop_if),
        "in" => value.clone_into(&mut item.repeat_id),
        "least" => item.bounds.get_or_insert_with(QuestionBounds::default).least = Some(value.parse().ok()?),
        "most" => item.bounds.get_or_insert_with(QuestionBounds::default).most = Some(value.parse().ok()?),
        _ => return None,
    }
    Some(())
}

/// A condition: of others, or an item with an operator and a value.
fn read_condition(id: &str, kind: &str, parts: &str) -> Option<QuestionCondition> {
    let kind = QuestionConditionKind::from_spelling(kind)?;
    let mut condition = QuestionCondition { id: id.to_owned(), kind: kind.into(), ..QuestionCondition::default() };
    let parts: Vec<&str> = parts.split_whitespace().collect();
    if matches!(kind, QuestionConditionKind::All | QuestionConditionKind::Any | QuestionConditionKind::Not) {
        condition.condition_ids = parts.into_iter().map(str::to_owned).collect();
        return Some(condition);
    }
    let [item, operator, value] = *parts.as_slice() else { return None };
    item.clone_into(&mut condition.item_id);
    condition.operator = QuestionOperator::from_spelling(operator)?.into();
    match (value.parse::<f64>(), value.parse::<bool>()) {
        (Ok(number), _) => condition.number = Some(number),
        (_, Ok(boolean)) => condition.boolean = Some(boolean),
        _ => value.clone_into(&mut condition.text),
    }
    Some(condition)
}

/// A text in the four locales. Canada's English is that of the United States here.
fn build_texts(en: &str, es: &str, fr: &str) -> Vec<LocalizedText> {
    [(Locale::EnUs, en), (Locale::EsUs, es), (Locale::EnCa, en), (Locale::FrCa, fr)]
        .map(|(locale, text)| LocalizedText { locale: locale.into(), text: text.to_owned() })
        .to_vec()
}

/// A day in the past, for answers.
pub(super) fn day_of(year: i32) -> Option<Date> {
    Some(Date { year, month: 5, day: 17 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::logic::find_faults;

    #[test]
    fn each_questionnaire_can_go_live() {
        let all = list_requests().unwrap();
        assert_eq!(all.len(), 6);
        for request in &all {
            let content = request.content.as_ref().unwrap();
            find_faults(content, &request.name).into_result().unwrap();
        }
        let items: usize = all[0].content.as_ref().unwrap().pages.iter().map(|page| page.items.len()).sum();
        assert_eq!(items, 42);
    }
}
