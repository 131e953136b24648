//! The tables of messages, for what reads documents by the descriptors alone.

use prost_reflect::MessageDescriptor;

use crate::option::option;
use crate::options::v1 as options;

/// The table of a message with the `aggregate` option.
#[must_use]
pub fn table_of(message: &MessageDescriptor) -> Option<String> {
    Some(aggregate_of(message)?.table)
}

/// The table of a child's parent, and the key in JSON of the field that names the parent.
#[must_use]
pub fn parent_of(message: &MessageDescriptor) -> Option<(String, String)> {
    let parent = aggregate_of(message)?.parent?;
    let full = format!("{}.{}", message.package_name(), parent.aggregate);
    let table = table_of(&message.parent_pool().get_message_by_name(&full)?)?;
    Some((table, message.get_field_by_name(&parent.field)?.json_name().to_owned()))
}

/// The key in JSON of the field that keeps an entity from being erased while it is true.
#[must_use]
pub fn held_by(message: &MessageDescriptor) -> Option<String> {
    let held = aggregate_of(message)?.on_merge.into_iter().map(|rule| rule.held).find(|held| !held.is_empty())?;
    Some(message.get_field_by_name(&held)?.json_name().to_owned())
}

fn aggregate_of(message: &MessageDescriptor) -> Option<options::Aggregate> {
    option(&message.options(), message.parent_pool(), "pavise.contract.v1.aggregate")
}
