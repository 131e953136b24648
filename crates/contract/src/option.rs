//! Reads options and comments out of descriptors.

use prost_reflect::{DescriptorPool, DynamicMessage, Value};

use crate::comment::documentation;
use crate::spelling;

/// The comment at a path of a file, without its leading spaces; empty when the descriptors carry none.
pub(crate) fn comment(file: &prost_reflect::FileDescriptor, path: &[i32]) -> String {
    let info = file.file_descriptor_proto().source_code_info.as_ref();
    let location = info.and_then(|info| info.location.iter().find(|location| location.path == path));
    let text = location.map(|location| location.leading_comments()).unwrap_or_default();
    documentation(text)
}

/// The comment of an enumeration's value; empty when the descriptors carry none.
#[must_use]
pub fn comment_of(value: &prost_reflect::EnumValueDescriptor) -> String {
    comment(&value.parent_enum().parent_file(), value.path())
}

/// The typed value of an option, or `None` when it is not set.
pub(crate) fn option<M: prost::Message + Default>(
    options: &DynamicMessage,
    pool: &DescriptorPool,
    name: &str,
) -> Option<M> {
    let extension = spelling::extension(pool, name)?;
    if !options.has_extension(&extension) {
        return None;
    }
    match &*options.get_extension(&extension) {
        Value::Message(message) => message.transcode_to().ok(),
        _ => None,
    }
}
