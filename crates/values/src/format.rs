//! The formats of texts.

use std::collections::HashSet;
use std::hash::Hash;

use crate::{Format, ValueError, email, industry, language, name, national, phone, postal, zone};

/// The normal form of a text with a format.
///
/// # Errors
/// The reason why it has none. It does not repeat the text.
pub fn to_normal_form(format: Format, text: &str) -> Result<String, &'static str> {
    match format {
        Format::Unspecified => Ok(text.to_owned()),
        Format::Email => email::is_address(text).then(|| text.to_owned()).ok_or("is no e-mail address"),
        Format::Phone => phone::to_e164(text, "").ok_or("is no telephone number"),
        Format::PersonName => name::normalize_part(text).ok_or("has characters that no name has"),
        Format::PostalCode => postal::normalize_code(text).ok_or("is no ZIP code and no Canadian postal code"),
        Format::LanguageTag => language::normalize_tag(text).ok_or("is no language tag, such as en-US"),
        Format::Language => language::normalize_code(text).ok_or("is no language of ISO 639-1, such as en"),
        Format::TimeZone => zone::normalize_name(text).ok_or("is no time zone, such as America/Chicago"),
        Format::Ssn => national::normalize_ssn(text).ok_or("is no Social Security number that is given out"),
        Format::Itin => national::normalize_itin(text).ok_or("is no ITIN that is given out"),
        Format::Sin => national::normalize_sin(text).ok_or("is no Social Insurance Number that is given out"),
        Format::Ein => national::normalize_ein(text).ok_or("is no EIN that is given out"),
        Format::Bn => national::normalize_bn(text).ok_or("is no business number of Canada"),
        Format::Rfc => national::normalize_rfc(text).ok_or("is no RFC"),
        Format::Sic => industry::normalize_sic(text).ok_or("is no SIC code"),
        Format::Naics => industry::normalize_naics(text).ok_or("is no NAICS code"),
        Format::Duns => industry::normalize_duns(text).ok_or("is no DUNS number"),
    }
}

/// For generated code: adds what is wrong with a text at a path. An empty text passes.
pub fn check_text(format: Format, text: &str, path: impl FnOnce() -> String, found: &mut Vec<ValueError>) {
    if !text.is_empty()
        && let Err(why) = to_normal_form(format, text)
    {
        found.push(ValueError::new(path(), why));
    }
}

/// For generated code: adds what is wrong with the texts of a list at a path.
pub fn check_texts(format: Format, texts: &[String], path: &str, found: &mut Vec<ValueError>) {
    for (at, text) in texts.iter().enumerate() {
        check_text(format, text, || format!("{path}[{at}]"), found);
    }
}

/// For generated code: adds the items of a list at a path whose key an earlier item has.
pub fn check_keys<K: Eq + Hash>(keys: impl Iterator<Item = K>, key: &str, path: &str, found: &mut Vec<ValueError>) {
    let mut seen = HashSet::new();
    for (at, one) in keys.enumerate() {
        if !seen.insert(one) {
            found.push(ValueError::new(format!("{path}[{at}].{key}"), format!("is the {key} of an earlier one")));
        }
    }
}

/// For generated code: brings a text into its normal form. What is wrong stays as it is.
pub fn normalize_text(format: Format, text: &mut String) {
    if !text.is_empty()
        && let Ok(normal) = to_normal_form(format, text)
    {
        *text = normal;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all_formats() -> impl Iterator<Item = Format> {
        (1..=16).filter_map(|number| Format::try_from(number).ok())
    }

    #[test]
    fn a_list_says_which_text_is_wrong() {
        let mut found = Vec::new();
        let texts = ["a@example.com", "", "nobody"].map(str::to_owned);
        check_texts(Format::Email, &texts, "emails", &mut found);
        assert_eq!(found, [ValueError::new("emails[2]", "is no e-mail address")]);
        let mut found = Vec::new();
        check_keys([1, 2, 1].into_iter(), "locale", "names", &mut found);
        assert_eq!(found, [ValueError::new("names[2].locale", "is the locale of an earlier one")]);
    }

    #[test]
    fn what_is_wrong_stays_as_it_is() {
        let mut text = "12".to_owned();
        normalize_text(Format::Phone, &mut text);
        assert_eq!(text, "12");
        normalize_text(Format::Unspecified, &mut text);
        assert_eq!(text, "12");
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange_and_a_normal_form_is_its_own(text in "\\PC{0,24}") {
            for format in all_formats() {
                if let Ok(once) = to_normal_form(format, &text) {
                    prop_assert_eq!(to_normal_form(format, &once), Ok(once.clone()), "{:?}", format);
                }
            }
        }

        #[test]
        fn numbers_are_read_or_refused(text in "[+0-9A-Za-z ().-]{0,20}") {
            for format in all_formats() {
                if let Ok(once) = to_normal_form(format, &text) {
                    prop_assert_eq!(to_normal_form(format, &once), Ok(once.clone()), "{:?}", format);
                }
            }
        }
    }
}
