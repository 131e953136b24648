//! The locale of a text when there is none in the reader's.

use pavise_kernel::common::v1::Locale;

/// The locales to look for a text in, the reader's first: fr-CA, en-CA, en-US; es-US, en-US. Everybody gets en-US in the
/// end.
pub(crate) fn list_fallbacks(locale: Locale) -> &'static [Locale] {
    match locale {
        Locale::FrCa => &[Locale::FrCa, Locale::EnCa, Locale::EnUs],
        Locale::EnCa => &[Locale::EnCa, Locale::EnUs],
        Locale::EsUs => &[Locale::EsUs, Locale::EnUs],
        Locale::EnUs | Locale::Unspecified => &[Locale::EnUs],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_locale_begins_with_itself_and_ends_with_en_us() {
        for locale in [Locale::EnUs, Locale::EsUs, Locale::EnCa, Locale::FrCa] {
            let all = list_fallbacks(locale);
            assert_eq!((all.first(), all.last()), (Some(&locale), Some(&Locale::EnUs)));
        }
        assert_eq!(list_fallbacks(Locale::FrCa), [Locale::FrCa, Locale::EnCa, Locale::EnUs]);
        assert_eq!(list_fallbacks(Locale::Unspecified), [Locale::EnUs]);
    }
}
