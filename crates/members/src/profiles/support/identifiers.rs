//! National identifiers of people.

use pavise_kernel::common::v1::{NationalIdentifier, NationalIdentifierType};
use pavise_kernel::{Error, Result};

use crate::contract::v1::ProfileIdentifier;

/// The identifier of a request as a profile keeps it. Numbers of businesses are refused.
pub(crate) fn to_kept(identifier: Option<&NationalIdentifier>) -> Result<Option<ProfileIdentifier>> {
    let Some(identifier) = identifier else { return Ok(None) };
    match identifier.r#type() {
        NationalIdentifierType::Ein | NationalIdentifierType::Bn => {
            Err(Error::field("national_identifier.type", "is that of a business"))
        }
        NationalIdentifierType::Ssn
        | NationalIdentifierType::Itin
        | NationalIdentifierType::Sin
        | NationalIdentifierType::Rfc
        | NationalIdentifierType::Unspecified => {
            Ok(Some(ProfileIdentifier { r#type: identifier.r#type, value: identifier.value.clone() }))
        }
    }
}

/// The last four characters of an identifier.
pub(crate) fn last_four(value: &str) -> String {
    let count = value.chars().count();
    value.chars().skip(count.saturating_sub(4)).collect()
}
