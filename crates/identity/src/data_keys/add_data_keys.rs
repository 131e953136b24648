//! Keeps new wrapped keys.

use pavise_kernel::sealed::WrappedKey;
use pavise_kernel::{Call, Error, Result};

use super::support::{from_message, key_store};
use crate::contract::v1::{AddDataKeysRequest, AddDataKeysResponse};

pub(crate) async fn add_data_keys(call: &Call, request: AddDataKeysRequest) -> Result<AddDataKeysResponse> {
    let keys: Vec<WrappedKey> = request.keys.into_iter().map(from_message).collect();
    if let Some(at) = keys.iter().position(WrappedKey::is_destroyed) {
        return Err(Error::missing_field(format!("keys[{at}].wrapped")));
    }
    key_store(call)?.add(&keys).await?;
    Ok(AddDataKeysResponse {})
}
