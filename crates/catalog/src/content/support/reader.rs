//! Entries as their readers see them.

use pavise_kernel::Call;
use pavise_kernel::common::v1::Locale;

use crate::contract::roles;
use crate::contract::v1::{ContentEntry, ContentEntryStatus, ContentValue, ExpandedEntry};

/// Whether the caller works for the platform, and sees drafts.
pub(in crate::content) fn is_staff(call: &Call) -> bool {
    call.has_role(roles::STAFF)
}

/// Whether the caller may see an entry at all.
pub(in crate::content) fn is_shown(call: &Call, entry: &ContentEntry) -> bool {
    is_staff(call) || entry.status() == ContentEntryStatus::Published
}

/// The entry as the caller sees it, with the texts of a locale. Nobody but staff sees the draft.
pub(in crate::content) fn view_entry(call: &Call, mut entry: ContentEntry, locale: Locale) -> ContentEntry {
    if is_staff(call) {
        entry.draft = choose_values(entry.draft, locale);
    } else {
        entry.draft.clear();
        entry.reference_ids.clear();
    }
    entry.published = choose_values(entry.published, locale);
    entry
}

/// The texts of a locale in entries that another one leads to.
pub(in crate::content) fn view_expanded(entries: &mut [ExpandedEntry], locale: Locale) {
    for entry in entries {
        entry.published = choose_values(std::mem::take(&mut entry.published), locale);
    }
}

/// For each field, the value of the locale, else of the one that it falls back to. A field without either has none. An
/// unspecified locale leaves all values.
fn choose_values(values: Vec<ContentValue>, locale: Locale) -> Vec<ContentValue> {
    if locale == Locale::Unspecified {
        return values;
    }
    let base = base_of(locale);
    let has_own = |key: &str| values.iter().any(|value| value.field_key == key && value.locale() == locale);
    let is_chosen = |value: &ContentValue| match value.locale() {
        Locale::Unspecified => true,
        own if own == locale => true,
        other => other == base && !has_own(&value.field_key),
    };
    let chosen: Vec<bool> = values.iter().map(is_chosen).collect();
    values.into_iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(value, _)| value).collect()
}

/// The locale that another one falls back to: English in the same country.
fn base_of(locale: Locale) -> Locale {
    match locale {
        Locale::EnUs | Locale::EsUs => Locale::EnUs,
        Locale::EnCa | Locale::FrCa => Locale::EnCa,
        Locale::Unspecified => Locale::Unspecified,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_translation_falls_back_within_the_country() {
        let value = |key: &str, locale: Locale| ContentValue {
            field_key: key.to_owned(),
            locale: locale.into(),
            ..ContentValue::default()
        };
        let values = vec![
            value("heading", Locale::EnUs),
            value("heading", Locale::EnCa),
            value("heading", Locale::EsUs),
            value("picture", Locale::Unspecified),
            value("body", Locale::EnUs),
        ];
        let choose = |locale| {
            let chosen = choose_values(values.clone(), locale);
            chosen.iter().map(|value| format!("{} {}", value.field_key, value.locale().spelling())).collect::<Vec<_>>()
        };
        let picture = format!("picture {}", Locale::Unspecified.spelling());
        assert_eq!(choose(Locale::EnUs), ["heading en-US", &picture, "body en-US"]);
        assert_eq!(choose(Locale::EsUs), ["heading es-US", &picture, "body en-US"]);
        assert_eq!(choose(Locale::FrCa), ["heading en-CA", &picture], "not that of another country");
        assert_eq!(choose(Locale::Unspecified).len(), 5);
    }
}
