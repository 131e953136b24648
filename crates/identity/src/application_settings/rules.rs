//! Rules of every write of an application setting.

use pavise_kernel::{Derive, Error, Invariants, Result};
use prost::Message as _;
use prost_types::value::Kind;
use prost_types::{Struct, Timestamp, Value};

use crate::contract::v1::ApplicationSetting;

/// How many bytes a document has at most.
const LARGEST: usize = 64 * 1024;
/// How deep objects and lists lie in each other at most.
const DEEPEST: usize = 10;

impl Derive for ApplicationSetting {
    fn derive(&mut self, _before: Option<&Self>, _at: &Timestamp) -> Result<()> {
        self.shared_in = if self.shared { self.application_name.clone() } else { String::new() };
        Ok(())
    }
}

impl Invariants for ApplicationSetting {
    fn check(&self) -> Result<()> {
        let Some(settings) = &self.settings else { return Ok(()) };
        if settings.encoded_len() > LARGEST {
            return Err(Error::field("settings", format!("is larger than {} KiB", LARGEST / 1024)));
        }
        within(settings.fields.values(), DEEPEST)
    }
}

/// Whether values lie at most so deep and are ones that JSON has.
fn within<'v>(values: impl Iterator<Item = &'v Value>, levels: usize) -> Result<()> {
    let Some(levels) = levels.checked_sub(1) else {
        return Err(Error::field("settings", format!("is more than {DEEPEST} levels deep")));
    };
    for value in values {
        match &value.kind {
            Some(Kind::StructValue(Struct { fields })) => within(fields.values(), levels)?,
            Some(Kind::ListValue(list)) => within(list.values.iter(), levels)?,
            Some(Kind::NumberValue(number)) if !number.is_finite() => {
                return Err(Error::field("settings", "has a number that JSON does not have"));
            }
            Some(Kind::NumberValue(_) | Kind::StringValue(_) | Kind::BoolValue(_) | Kind::NullValue(_)) | None => {}
        }
    }
    Ok(())
}
