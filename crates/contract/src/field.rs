//! The contract of a field.

use prost_reflect::{FieldDescriptor, MessageDescriptor};

use crate::options::v1 as options;

/// How sensitive a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sensitivity {
    /// Every reader of the message may read it.
    #[default]
    Open,
    /// Personal data: masked in logs.
    Personal,
    /// Never leaves the service.
    Secret,
}

impl Sensitivity {
    /// Reads the contract of `field`.
    #[must_use]
    pub fn of(field: &FieldDescriptor) -> Self {
        let Some(options) = field_options(field) else { return Self::Open };
        match (options.secret, options.pii) {
            (true, _) => Self::Secret,
            (false, true) => Self::Personal,
            (false, false) => Self::Open,
        }
    }
}

/// Whether a caller may never set the field.
#[must_use]
pub fn is_output_only(field: &FieldDescriptor) -> bool {
    field_options(field).is_some_and(|options| options.output_only)
}

/// The realms whose callers get the field; empty for all. Machine always does.
#[must_use]
pub fn audience_of(field: &FieldDescriptor) -> Vec<options::Realm> {
    field_options(field).map(|options| options.audience().collect()).unwrap_or_default()
}

/// The realms whose callers may set the field in a request; empty for all. Machine always may.
#[must_use]
pub fn setters_of(field: &FieldDescriptor) -> Vec<options::Realm> {
    field_options(field).map(|options| options.set_by().collect()).unwrap_or_default()
}

/// The entity type that the id in the field names, if the contract says one.
#[must_use]
pub fn reference_of(field: &FieldDescriptor) -> Option<String> {
    field_options(field).map(|options| options.reference).filter(|reference| !reference.is_empty())
}

/// The rule of a field that is sealed wherever it is stored.
#[must_use]
pub fn sealed_of(field: &FieldDescriptor) -> Option<options::Sealed> {
    field_options(field).and_then(|options| options.sealed)
}

/// Whether the field has somebody's personal data.
#[must_use]
pub fn is_personal(field: &FieldDescriptor) -> bool {
    field_options(field).is_some_and(|options| options.pii || options.sealed.is_some())
}

/// The rule for the erasure of a field, if it says one itself.
#[must_use]
pub fn erasure_of(field: &FieldDescriptor) -> Option<options::Erasure> {
    field_options(field).and_then(|options| options.erasure)
}

/// The rule for the erasure of what is in a message, if it says one.
#[must_use]
pub fn erasure_in(message: &MessageDescriptor) -> Option<options::Erasure> {
    crate::option::option(&message.options(), message.parent_pool(), "pavise.contract.v1.erasure")
}

/// The form that answers show in place of the field's value, and the realms whose callers get the value.
#[must_use]
pub fn mask_of(field: &FieldDescriptor) -> Option<(options::Mask, Vec<options::Realm>)> {
    let sealed = sealed_of(field)?;
    let clear = sealed.clear_to().collect();
    Some((sealed.mask(), clear)).filter(|(mask, _)| *mask != options::Mask::Unspecified)
}

/// Whether the field is set at creation and never changed.
#[must_use]
pub fn is_immutable(field: &FieldDescriptor) -> bool {
    field_options(field).is_some_and(|options| options.immutable)
}

/// The format of the text, or of each text of the list; unspecified for none.
#[must_use]
pub fn format_of(field: &FieldDescriptor) -> options::Format {
    field_options(field).map(|options| options.format()).unwrap_or_default()
}

/// Whether a text with a format may be empty.
#[must_use]
pub fn can_be_empty(field: &FieldDescriptor) -> bool {
    field_options(field).is_some_and(|options| options.can_be_empty)
}

/// Whether the message is a shared value type with rules and a normal form of its own.
#[must_use]
pub fn is_checked_value(message: &MessageDescriptor) -> bool {
    value_type(message).is_some_and(|value| value.checked)
}

/// The field that tells the message's items of a list apart, if it says one.
#[must_use]
pub fn key_of(message: &MessageDescriptor) -> Option<String> {
    value_type(message).map(|value| value.key).filter(|key| !key.is_empty())
}

fn value_type(message: &MessageDescriptor) -> Option<options::ValueType> {
    crate::option::option(&message.options(), message.parent_pool(), "pavise.contract.v1.value_type")
}

/// The field's options, if it has any.
fn field_options(field: &FieldDescriptor) -> Option<options::Field> {
    crate::option::option(&field.options(), field.parent_pool(), "pavise.contract.v1.field")
}
