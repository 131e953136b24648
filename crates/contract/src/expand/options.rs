//! The options that the expansion reads and writes.

use prost_reflect::{DescriptorPool, ExtensionDescriptor};

/// The options that are read and written.
pub(super) struct Options {
    pub(super) service: ExtensionDescriptor,
    pub(super) access: ExtensionDescriptor,
    pub(super) call: ExtensionDescriptor,
    pub(super) facts: ExtensionDescriptor,
    pub(super) aggregate: ExtensionDescriptor,
    pub(super) field: ExtensionDescriptor,
}

impl Options {
    /// The options as the pool knows them; none where the set has no contract.
    pub(super) fn of(pool: &DescriptorPool) -> Option<Self> {
        let option = |name: &str| pool.get_extension_by_name(&format!("pavise.contract.v1.{name}"));
        Some(Self {
            service: option("service")?,
            access: option("access")?,
            call: option("call")?,
            facts: option("facts")?,
            aggregate: option("aggregate")?,
            field: option("field")?,
        })
    }
}
