//! Whether an entry can be published.

use std::collections::BTreeSet;

use pavise_kernel::common::v1::Locale;
use pavise_kernel::{Call, Result};

use super::draft::{check_files, check_targets, list_targets};
use super::fit::check_values;
use crate::contract::v1::{ContentEntry, ContentField, ContentType, ContentValue, ErrorReason};
use crate::shared::violations::Violations;

/// The locales that the others fall back to. A localized text has both.
const BASES: [Locale; 2] = [Locale::EnUs, Locale::EnCa];
/// The most entries that are followed to find a way back.
const MOST_FOLLOWED: usize = 1000;

/// Checks that a draft has all that everybody is to see.
///
/// # Errors
/// `CONTENT_INCOMPLETE` with all violations.
pub(in crate::content) async fn check_complete(call: &Call, of: &ContentType, entry: &ContentEntry) -> Result<()> {
    let mut wrong = Violations::default();
    let place = |at: usize| format!("draft[{at}].");
    check_values(of, &entry.draft, place, &mut wrong);
    for field in &of.fields {
        add_missing(field, &entry.draft, &mut wrong);
    }
    check_targets(call, of, &entry.draft, place, &mut wrong).await?;
    check_files(call, &entry.draft, place, &mut wrong).await?;
    if leads_to(call, &entry.draft, &entry.id).await? {
        wrong.add("draft", "the entries that it names lead back to it");
    }
    wrong.refuse_as(ErrorReason::ContentIncomplete, "the entry cannot be published as it is")
}

/// Adds a required field without a value, and the locales without a text.
pub(in crate::content) fn add_missing(field: &ContentField, values: &[ContentValue], wrong: &mut Violations) {
    let mut given = values.iter().filter(|value| value.field_key == field.key).peekable();
    if given.peek().is_none() {
        if field.required {
            wrong.add(&field.key, "has no value");
        }
        return;
    }
    let locales: Vec<Locale> = given.map(ContentValue::locale).collect();
    for base in BASES.into_iter().filter(|base| field.localized && !locales.contains(base)) {
        wrong.add(&field.key, format!("has no text in {}", base.spelling()));
    }
}

/// Whether the entries that values name lead to an entry, by their drafts or by their published copies.
async fn leads_to(call: &Call, values: &[ContentValue], id: &str) -> Result<bool> {
    let mut seen: BTreeSet<String> = list_targets(values).map(str::to_owned).collect();
    let mut next: Vec<String> = seen.iter().cloned().collect();
    while !next.is_empty() && seen.len() < MOST_FOLLOWED {
        if seen.contains(id) {
            return Ok(true);
        }
        let entries: Vec<ContentEntry> = call.find_many(&next).await?;
        let further = entries.into_iter().flat_map(|entry| entry.reference_ids);
        next = further.filter(|id| seen.insert(id.clone())).collect();
    }
    Ok(seen.contains(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(required: bool, localized: bool, locales: &[Locale]) -> usize {
        let field = ContentField { key: "heading".to_owned(), required, localized, ..ContentField::default() };
        let value = |locale: &Locale| ContentValue {
            field_key: "heading".to_owned(),
            locale: (*locale).into(),
            ..ContentValue::default()
        };
        let values: Vec<ContentValue> = locales.iter().map(value).collect();
        let mut wrong = Violations::default();
        add_missing(&field, &values, &mut wrong);
        wrong.into_result().err().map_or(0, |error| error.violations().len())
    }

    #[test]
    fn a_text_has_the_locales_that_others_fall_back_to() {
        use Locale::{EnCa, EnUs, EsUs, FrCa, Unspecified};
        assert_eq!(missing(false, true, &[]), 0);
        assert_eq!(missing(true, true, &[]), 1);
        assert_eq!(missing(true, false, &[Unspecified]), 0);
        assert_eq!(missing(false, true, &[EnUs, EnCa]), 0);
        assert_eq!(missing(false, true, &[EnUs, EnCa, EsUs, FrCa]), 0);
        assert_eq!(missing(false, true, &[EnUs]), 1);
        assert_eq!(missing(false, true, &[EsUs, FrCa]), 2);
    }
}
