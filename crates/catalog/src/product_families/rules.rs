//! Rules of every stored family.

use pavise_kernel::Result;
use pavise_kernel::aggregate::Invariants;

use crate::contract::v1::{Family, FamilyText};
use crate::shared::violations::Violations;

/// The most characters of a name.
const LONGEST_NAME: usize = 120;

impl Invariants for Family {
    fn check(&self) -> Result<()> {
        let mut wrong = Violations::default();
        check_texts(&self.names, "names", &mut wrong);
        check_texts(&self.descriptions, "descriptions", &mut wrong);
        for (at, name) in self.names.iter().enumerate() {
            if name.text.chars().count() > LONGEST_NAME {
                wrong.add(format!("names[{at}].text"), format!("has more than {LONGEST_NAME} characters"));
            }
        }
        wrong.into_result()
    }
}

/// There is one text for each locale at most, and each has an id of its own.
fn check_texts(texts: &[FamilyText], list: &str, wrong: &mut Violations) {
    wrong.check_length(texts, 8, list);
    wrong.check_ids(texts.iter().map(|text| text.id.as_str()), list);
    let locales: Vec<i32> = texts.iter().map(|text| text.locale).collect();
    wrong.add_repeated(&locales, |at| format!("{list}[{at}].locale"));
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::Locale;

    use super::*;

    fn text(id: &str, locale: Locale, text: String) -> FamilyText {
        FamilyText { id: id.to_owned(), locale: locale.into(), text }
    }

    /// The fields that are wrong with a family of two names.
    fn wrong(names: [FamilyText; 2]) -> Vec<String> {
        let family = Family { names: names.to_vec(), ..Family::default() };
        match family.check() {
            Ok(()) => Vec::new(),
            Err(error) => error.violations().iter().map(|violation| violation.field.clone()).collect(),
        }
    }

    #[test]
    fn a_locale_has_one_short_name_with_an_id() {
        let name = || "Legal".to_owned();
        assert!(wrong([text("a", Locale::EnUs, name()), text("b", Locale::EsUs, name())]).is_empty());
        assert_eq!(wrong([text("a", Locale::EnUs, name()), text("b", Locale::EnUs, name())]), ["names[1].locale"]);
        assert_eq!(wrong([text("a", Locale::EnUs, name()), text("a", Locale::EsUs, name())]), ["names[1].id"]);
        let long = |count: usize| [text("a", Locale::EnUs, name()), text("b", Locale::EsUs, "é".repeat(count))];
        assert!(wrong(long(120)).is_empty());
        assert_eq!(wrong(long(121)), ["names[1].text"]);
    }
}
