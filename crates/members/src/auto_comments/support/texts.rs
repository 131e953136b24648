//! The text of an auto comment in each locale.

use std::collections::BTreeMap;

use pavise_kernel::common::v1::{Locale, LocalizedText};
use pavise_kernel::{Error, Result};

use super::templates::{CommentTemplate, find_template};
use crate::contract::v1::{AutoCommentKey, AutoCommentParameter, AutoCommentSubjectType};

/// Writes the texts of a key with the words of the parameters.
///
/// # Errors
/// `INVALID_FIELD` for a key of another kind of subject, and for parameters that are missing, unknown or said twice.
pub(crate) fn write_texts(
    key: AutoCommentKey,
    subject: AutoCommentSubjectType,
    parameters: &[AutoCommentParameter],
) -> Result<Vec<LocalizedText>> {
    let template = find_template(key).ok_or_else(|| Error::missing_field("key"))?;
    if template.subject != subject {
        let message = format!("says something about {}", template.subject.spelling());
        return Err(Error::field("key", message));
    }
    let words = match_parameters(template, parameters)?;
    let write = |locale: Locale, text| LocalizedText { locale: locale.into(), text: fill_in(text, &words) };
    Ok(vec![
        write(Locale::EnUs, template.english),
        write(Locale::EsUs, template.spanish),
        write(Locale::EnCa, template.english),
        write(Locale::FrCa, template.french),
    ])
}

/// The words by their places.
fn match_parameters(template: CommentTemplate, parameters: &[AutoCommentParameter]) -> Result<BTreeMap<&str, &str>> {
    let places = list_places(template.english);
    let mut words = BTreeMap::new();
    for (at, parameter) in parameters.iter().enumerate() {
        let wrong = |why: String| Err(Error::field(format!("parameters[{at}].name"), why));
        if !places.contains(&parameter.name.as_str()) {
            return wrong(format!("has no place in the text, which has {}", places.join(", ")));
        }
        if words.insert(parameter.name.as_str(), parameter.value.as_str()).is_some() {
            return wrong("is said twice".to_owned());
        }
    }
    match places.iter().find(|place| !words.contains_key(*place)) {
        Some(missing) => Err(Error::field("parameters", format!("{missing} is missing"))),
        None => Ok(words),
    }
}

/// The places of a text, in their order.
fn list_places(text: &str) -> Vec<&str> {
    text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(place, _)| place).collect()
}

/// The text with the words in its places.
fn fill_in(text: &str, words: &BTreeMap<&str, &str>) -> String {
    let mut parts = text.split('{');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (place, rest) = part.split_once('}').unwrap_or(("", part));
        filled.push_str(words.get(place).copied().unwrap_or_default());
        filled.push_str(rest);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, value: &str) -> AutoCommentParameter {
        AutoCommentParameter { name: name.into(), value: value.into() }
    }

    fn every_key() -> impl Iterator<Item = AutoCommentKey> {
        (1..).map_while(|number| AutoCommentKey::try_from(number).ok())
    }

    #[test]
    fn every_key_has_a_text_with_the_same_places_in_each_language() {
        assert!(every_key().count() >= 12);
        for key in every_key() {
            let template = find_template(key).unwrap();
            let sorted = |text| {
                let mut places = list_places(text);
                places.sort_unstable();
                places
            };
            let english = sorted(template.english);
            assert!(!english.is_empty(), "{key:?}");
            assert_eq!((&sorted(template.spanish), &sorted(template.french)), (&english, &english), "{key:?}");
            let parameters: Vec<_> = english.iter().map(|place| of(place, "word")).collect();
            let texts = write_texts(key, template.subject, &parameters).unwrap();
            assert_eq!(
                texts.iter().map(LocalizedText::locale).collect::<Vec<_>>(),
                [Locale::EnUs, Locale::EsUs, Locale::EnCa, Locale::FrCa]
            );
            assert!(texts.iter().all(|one| one.text.contains("word") && !one.text.contains('{')), "{texts:?}");
        }
    }

    #[test]
    fn each_word_goes_to_its_place() {
        let parameters = [of("plan", "Legal Plan"), of("person", "Ada {plan} Lee")];
        let texts = write_texts(AutoCommentKey::PersonAdded, AutoCommentSubjectType::Entitlement, &parameters).unwrap();
        assert_eq!(texts[0].text, "Ada {plan} Lee is covered by Legal Plan.", "words are no templates");
        assert_eq!(texts[1].text, "Legal Plan cubre a Ada {plan} Lee.");
    }

    #[test]
    fn parameters_are_those_of_the_text() {
        let field = |parameters: &[AutoCommentParameter]| {
            let error =
                write_texts(AutoCommentKey::PersonAdded, AutoCommentSubjectType::Entitlement, parameters).unwrap_err();
            error.violations()[0].field.clone()
        };
        assert_eq!(field(&[of("plan", "Legal")]), "parameters");
        assert_eq!(field(&[of("plan", "Legal"), of("person", "Ada"), of("day", "today")]), "parameters[2].name");
        assert_eq!(field(&[of("plan", "Legal"), of("plan", "Other")]), "parameters[1].name");
        let branch = write_texts(AutoCommentKey::PersonAdded, AutoCommentSubjectType::Branch, &[]).unwrap_err();
        assert_eq!(branch.violations()[0].field, "key");
    }
}
