//! People's names, and the numbers that authorities give them.

use crate::common::v1::{NationalIdentifier, NationalIdentifierType, PersonName};
use crate::{Format, Value, ValueError, format};

impl Value for PersonName {
    fn find_value_errors(&self, path: &str, found: &mut Vec<ValueError>) {
        let parts = [
            ("title", &self.title),
            ("first_name", &self.first_name),
            ("middle_name", &self.middle_name),
            ("last_name", &self.last_name),
            ("suffix", &self.suffix),
            ("preferred_name", &self.preferred_name),
        ];
        for (name, part) in parts {
            format::check_text(Format::PersonName, part, || format!("{path}{name}"), found);
        }
        for (name, part) in [("first_name", &self.first_name), ("last_name", &self.last_name)] {
            if part.trim().is_empty() {
                found.push(ValueError::new(format!("{path}{name}"), "is required"));
            }
        }
    }

    fn normalize(&mut self) {
        for part in [
            &mut self.title,
            &mut self.first_name,
            &mut self.middle_name,
            &mut self.last_name,
            &mut self.suffix,
            &mut self.preferred_name,
        ] {
            format::normalize_text(Format::PersonName, part);
        }
    }
}

impl Value for NationalIdentifier {
    fn find_value_errors(&self, path: &str, found: &mut Vec<ValueError>) {
        format::check_text(format_of(self.r#type()), &self.value, || format!("{path}value"), found);
    }

    fn normalize(&mut self) {
        format::normalize_text(format_of(self.r#type()), &mut self.value);
    }
}

fn format_of(kind: NationalIdentifierType) -> Format {
    match kind {
        NationalIdentifierType::Unspecified => Format::Unspecified,
        NationalIdentifierType::Ssn => Format::Ssn,
        NationalIdentifierType::Itin => Format::Itin,
        NationalIdentifierType::Sin => Format::Sin,
        NationalIdentifierType::Ein => Format::Ein,
        NationalIdentifierType::Bn => Format::Bn,
        NationalIdentifierType::Rfc => Format::Rfc,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_single_spaces_and_a_first_and_last_part() {
        let mut name =
            PersonName { first_name: " Anne   Marie ".into(), last_name: "O'Neil".into(), ..PersonName::default() };
        name.normalize();
        assert_eq!((name.first_name.as_str(), name.last_name.as_str()), ("Anne Marie", "O'Neil"));
        let mut found = Vec::new();
        name.find_value_errors("name.", &mut found);
        assert_eq!(found, []);
        let bad = PersonName { first_name: "<b>".into(), last_name: "  ".into(), suffix: "\n".into(), ..name };
        bad.find_value_errors("name.", &mut found);
        let paths: Vec<&str> = found.iter().map(|wrong| wrong.path.as_str()).collect();
        assert_eq!(paths, ["name.first_name", "name.suffix", "name.last_name"]);
    }

    #[test]
    fn an_identifier_is_checked_as_its_kind_says() {
        let of =
            |kind: NationalIdentifierType, value: &str| NationalIdentifier { r#type: kind.into(), value: value.into() };
        let mut found = Vec::new();
        of(NationalIdentifierType::Ssn, "912-34-5678").find_value_errors("id.", &mut found);
        assert_eq!(found, [ValueError::new("id.value", "is no Social Security number that is given out")]);
        let mut itin = of(NationalIdentifierType::Itin, "912-70-5678");
        itin.normalize();
        assert_eq!(itin.value, "912705678");
    }
}
