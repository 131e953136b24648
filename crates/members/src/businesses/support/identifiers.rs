//! The numbers by which authorities and registers know a business.

use pavise_kernel::values::{Format, to_normal_form};
use pavise_kernel::{Error, Result};

use crate::contract::v1::{BusinessIdentifier, IdentifierType};

/// The number without separators.
///
/// # Errors
/// `INVALID_FIELD` with the field for a number that its authority gives to nobody.
pub(crate) fn normalize_identifier(kind: IdentifierType, value: &str, field: &str) -> Result<String> {
    let format = match kind {
        IdentifierType::Unspecified => Format::Unspecified,
        IdentifierType::Ein => Format::Ein,
        IdentifierType::Bn => Format::Bn,
        IdentifierType::Rfc => Format::Rfc,
        IdentifierType::Sic => Format::Sic,
        IdentifierType::Naics => Format::Naics,
        IdentifierType::Duns => Format::Duns,
    };
    to_normal_form(format, value).map_err(|why| Error::field(field, why))
}

/// Brings all numbers into their normal form.
///
/// # Errors
/// As [`normalize_identifier`], with the place in the list.
pub(crate) fn normalize_identifiers(identifiers: &mut [BusinessIdentifier]) -> Result<()> {
    for (at, one) in identifiers.iter_mut().enumerate() {
        one.value = normalize_identifier(one.r#type(), &one.value, &format!("identifiers[{at}].value"))?;
    }
    Ok(())
}

/// The part that no two numbers of a business share: the type, and for codes of industries the code, too.
pub(crate) fn identifier_key(one: &BusinessIdentifier) -> (IdentifierType, &str) {
    match one.r#type() {
        kind @ (IdentifierType::Sic | IdentifierType::Naics) => (kind, &one.value),
        kind => (kind, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_are_given_out() {
        let normal = |kind, value| normalize_identifier(kind, value, "identifiers[0].value").ok();
        let cases = [
            (IdentifierType::Ein, "12-3456789", Some("123456789")),
            (IdentifierType::Ein, "00-3456789", None),
            (IdentifierType::Bn, "123456782 RT0001", Some("123456782RT0001")),
            (IdentifierType::Bn, "123456789", None),
            (IdentifierType::Rfc, "GODE561231GR8", Some("GODE561231GR8")),
            (IdentifierType::Rfc, "GODE561331GR8", None),
            (IdentifierType::Sic, "5461", Some("5461")),
            (IdentifierType::Sic, "0000", None),
            (IdentifierType::Naics, "311811", Some("311811")),
            (IdentifierType::Naics, "991811", None),
            (IdentifierType::Duns, "15-048-3782", Some("150483782")),
            (IdentifierType::Duns, "15-048-378", None),
        ];
        for (kind, value, expected) in cases {
            assert_eq!(normal(kind, value).as_deref(), expected, "{kind:?} {value}");
        }
        let wrong = normalize_identifier(IdentifierType::Ein, "00-3456789", "identifiers[0].value").unwrap_err();
        assert_eq!(wrong.violations()[0].field, "identifiers[0].value");
        assert!(!wrong.message().contains("3456789"), "a refusal repeats no number");
    }
}
