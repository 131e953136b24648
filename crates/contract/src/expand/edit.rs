//! The edits of a descriptor set.

use std::collections::{BTreeMap, BTreeSet};

use prost_reflect::prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage, ExtensionDescriptor, Value};

use super::read;

/// The changes of the options of a set, by the full name of the element that has the option.
#[derive(Default)]
pub(super) struct Edits {
    options: BTreeMap<String, Vec<(ExtensionDescriptor, Option<DynamicMessage>)>>,
    /// Files that come to need an import: the file and what it imports.
    imports: BTreeSet<(String, String)>,
}

impl Edits {
    /// Sets an option.
    pub(super) fn set(&mut self, place: &str, option: &ExtensionDescriptor, value: impl Into<Option<DynamicMessage>>) {
        self.options.entry(place.to_owned()).or_default().push((option.clone(), value.into()));
    }

    /// Lets a file import another.
    pub(super) fn import(&mut self, file: &str, imported: &str) {
        self.imports.insert((file.to_owned(), imported.to_owned()));
    }

    /// The encoded set with the edits made.
    pub(super) fn apply(&self, pool: &DescriptorPool, set: &[u8]) -> Result<Vec<u8>, String> {
        let Some(kind) = pool.get_message_by_name("google.protobuf.FileDescriptorSet") else { return Ok(set.to_vec()) };
        let mut set = DynamicMessage::decode(kind, set).map_err(|error| error.to_string())?;
        for file in each(&mut set, "file") {
            self.imported(file);
            let package = read::text(file, "package");
            for message in each(file, "message_type") {
                self.message(message, &package);
            }
            for service in each(file, "service") {
                let place = self.edit(service, &package);
                for method in each(service, "method") {
                    self.edit(method, &place);
                }
            }
        }
        Ok(set.encode_to_vec())
    }

    fn message(&self, message: &mut DynamicMessage, outer: &str) {
        let place = self.edit(message, outer);
        for field in each(message, "field") {
            self.edit(field, &place);
        }
        for nested in each(message, "nested_type") {
            self.message(nested, &place);
        }
    }

    /// Edits the options of one element and answers its full name.
    fn edit(&self, element: &mut DynamicMessage, outer: &str) -> String {
        let place = format!("{outer}.{}", read::text(element, "name"));
        let Some(edits) = self.options.get(&place) else { return place };
        if let Some(options) = element.get_field_by_name_mut("options").and_then(Value::as_message_mut) {
            for (option, value) in edits {
                match value {
                    Some(value) => options.set_extension(option, Value::Message(value.clone())),
                    None => options.clear_extension(option),
                }
            }
            if options.encoded_len() == 0 {
                element.clear_field_by_name("options");
            }
        }
        place
    }

    /// Imports are kept in order. Public imports are named by their places, which must not move.
    fn imported(&self, file: &mut DynamicMessage) {
        let name = read::text(file, "name");
        let named = !read::list_is_empty(file, "public_dependency") || !read::list_is_empty(file, "weak_dependency");
        for (_, imported) in self.imports.iter().filter(|(into, _)| *into == name) {
            let mut imports = read::texts(file, "dependency");
            let at = if named { imports.len() } else { imports.partition_point(|other| other < imported) };
            imports.insert(at, imported.clone());
            file.set_field_by_name("dependency", read::list(imports));
        }
    }
}

/// The messages in a repeated field.
fn each<'a>(message: &'a mut DynamicMessage, field: &str) -> impl Iterator<Item = &'a mut DynamicMessage> + use<'a> {
    let list = message.get_field_by_name_mut(field).and_then(Value::as_list_mut);
    list.into_iter().flatten().filter_map(Value::as_message_mut)
}
