//! Whether the options of a pool are those that this program was built with.

use std::sync::LazyLock;

use prost_reflect::{DescriptorPool, FieldDescriptor};

use crate::error::ContractError;

const PACKAGE: &str = "pavise.contract.v1";

/// The options that this program knows.
static KNOWN: LazyLock<Option<DescriptorPool>> = LazyLock::new(|| DescriptorPool::decode(crate::DESCRIPTORS).ok());

/// Checks that each option's field has the number that this program knows it by. Options are read by their numbers, so
/// that a field with another number would be read as another one, or not at all.
pub(crate) fn check(pool: &DescriptorPool) -> Result<(), ContractError> {
    let Some(known) = &*KNOWN else { return Ok(()) };
    for message in pool.all_messages().filter(|message| message.package_name() == PACKAGE) {
        let Some(own) = known.get_message_by_name(message.full_name()) else { continue };
        for field in message.fields() {
            let (name, number) = (field.name(), field.number());
            let same = |other: &FieldDescriptor| other.name() == name && other.number() == number;
            let other = own.get_field_by_name(name).or_else(|| own.get_field(number));
            if let Some(other) = other.filter(|other| !same(other)) {
                return Err(ContractError::new(
                    field.full_name(),
                    format!(
                        "it has the number {number}, but this program knows {} with the number {}: compile both from one options.proto",
                        other.name(),
                        other.number()
                    ),
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use prost::Message as _;
    use prost_types::FileDescriptorSet;

    use super::*;

    /// The own options, with one field changed.
    fn changed(message: &str, field: &str, change: impl Fn(&mut prost_types::FieldDescriptorProto)) -> DescriptorPool {
        let mut set = FileDescriptorSet::decode(crate::DESCRIPTORS).unwrap();
        let messages =
            set.file.iter_mut().filter(|file| file.package() == PACKAGE).flat_map(|file| &mut file.message_type);
        let found = messages.filter(|one| one.name() == message).flat_map(|one| &mut one.field);
        found.filter(|one| one.name() == field).for_each(change);
        // Plain types drop the options, which would hold the changed field.
        DescriptorPool::from_file_descriptor_set(set).unwrap()
    }

    #[test]
    fn a_field_with_another_number_is_an_error_and_not_left_out() {
        check(&changed("Lookup", "unique", |_| ())).unwrap();
        let error = check(&changed("Lookup", "unique", |field| field.number = Some(977))).unwrap_err().to_string();
        assert!(error.starts_with("pavise.contract.v1.Lookup.unique: it has the number 977"), "{error}");
        let error = check(&changed("Lookup", "unique", |field| field.name = Some("only".to_owned()))).unwrap_err();
        assert!(error.to_string().contains("this program knows unique with the number"), "{error}");
    }
}
