//! A field of a request message, at any depth.

use prost_reflect::MessageDescriptor;

/// A field of a request message, at any depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The proto names of the path to the field.
    pub(crate) names: Vec<String>,
    /// The numbers of the path to the field.
    pub(crate) numbers: Vec<u32>,
    /// The JSON names of the path to the field, with dots.
    pub(crate) json: String,
    /// The field has several values.
    pub(crate) list: bool,
    /// The choice that the field belongs to.
    pub(crate) oneof: Option<String>,
}

impl Place {
    /// The field of `message` at `path`, by proto or by JSON names.
    pub(crate) fn find(message: &MessageDescriptor, path: &str) -> Option<Self> {
        let mut place = Self { names: Vec::new(), numbers: Vec::new(), json: String::new(), list: false, oneof: None };
        let mut message = Some(message.clone());
        for name in path.split('.') {
            let inside = message.take()?;
            let field = inside.get_field_by_json_name(name).or_else(|| inside.get_field_by_name(name))?;
            if !place.json.is_empty() {
                place.json.push('.');
            }
            place.json.push_str(field.json_name());
            place.names.push(field.name().to_owned());
            place.numbers.push(field.number());
            place.list = field.is_list();
            place.oneof = field
                .containing_oneof()
                .filter(|_| !field.field_descriptor_proto().proto3_optional())
                .map(|one| one.full_name().to_owned());
            if !field.is_list() && !field.is_map() {
                message = field.kind().as_message().cloned();
            }
        }
        Some(place)
    }

    /// Whether one of the two fields contains the other.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.numbers.iter().zip(&other.numbers).all(|(one, other)| one == other)
    }
}
