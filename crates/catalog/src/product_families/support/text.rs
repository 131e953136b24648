//! The texts of a family.

use pavise_kernel::common::v1::Locale;
use pavise_kernel::{Error, Result};

use crate::contract::v1::FamilyText;

/// Replaces the text with the id that a field of the request names. An unspecified locale stays as it was.
///
/// # Errors
/// `INVALID_FIELD`.
pub(in crate::product_families) fn replace_text(
    texts: &mut [FamilyText],
    (field, id): (&str, &str),
    locale: Locale,
    text: &str,
) -> Result<()> {
    let found = texts.iter_mut().find(|known| known.id == id);
    let found = found.ok_or_else(|| Error::field(field, "names none of those that are there"))?;
    text.clone_into(&mut found.text);
    if locale != Locale::Unspecified {
        found.set_locale(locale);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_text_is_replaced() {
        let text = |id: &str, locale: Locale| FamilyText {
            id: id.to_owned(),
            locale: locale.into(),
            text: "before".to_owned(),
        };
        let mut texts = [text("a", Locale::EnUs), text("b", Locale::EsUs)];
        replace_text(&mut texts, ("name_id", "b"), Locale::Unspecified, "after").unwrap();
        assert_eq!((texts[0].text.as_str(), texts[1].text.as_str()), ("before", "after"));
        assert_eq!(texts[1].locale(), Locale::EsUs, "it was not said");
        replace_text(&mut texts, ("name_id", "b"), Locale::FrCa, "après").unwrap();
        assert_eq!(texts[1].locale(), Locale::FrCa);
        let unknown = replace_text(&mut texts, ("name_id", "c"), Locale::EnUs, "x").unwrap_err();
        assert_eq!(unknown.violations()[0].field, "name_id");
    }
}
