//! The tables of messages, for what reads documents by the descriptors alone.

use prost_reflect::MessageDescriptor;

use crate::option::option;
use crate::options::v1 as options;

/// The table of a message with the `aggregate` option.
#[must_use]
pub fn table_of(message: &MessageDescriptor) -> Option<String> {
    let aggregate: options::Aggregate =
        option(&message.options(), message.parent_pool(), "pavise.contract.v1.aggregate")?;
    Some(aggregate.table)
}
