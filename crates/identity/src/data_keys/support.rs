//! The key database of this process, and keys as messages.

pub(crate) mod remote;

use std::sync::Arc;

use pavise_kernel::sealed::{KeyStore, WrappedKey};
use pavise_kernel::time::{to_micros, to_timestamp};
use pavise_kernel::{Call, Common, Error, Result};

use crate::contract::v1::DataKey;

/// The key database of this process.
pub(crate) fn key_store(call: &Call) -> Result<Arc<dyn KeyStore>> {
    let keys = call.kernel().field_sealer().and_then(|sealer| sealer.data_keys());
    let keys =
        keys.ok_or_else(|| Error::new(Common::NotConfigured, "there is no key database here: set --key-secret"))?;
    Ok(keys.key_store().clone())
}

pub(crate) fn as_message(key: WrappedKey) -> DataKey {
    DataKey { name: key.name, master: key.master, wrapped: key.wrapped, at: Some(to_timestamp(key.at)) }
}

pub(crate) fn from_message(key: DataKey) -> WrappedKey {
    let at = key.at.as_ref().map_or(0, to_micros);
    WrappedKey { name: key.name, master: key.master, wrapped: key.wrapped, at }
}
