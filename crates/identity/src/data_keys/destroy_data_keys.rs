//! Destroys keys for good.

use pavise_kernel::time::to_micros;
use pavise_kernel::{Call, Result};

use super::support::key_store;
use crate::contract::v1::{DestroyDataKeysRequest, DestroyDataKeysResponse};

pub(crate) async fn destroy_data_keys(call: &Call, request: DestroyDataKeysRequest) -> Result<DestroyDataKeysResponse> {
    let at = request.at.as_ref().map_or_else(|| call.machine_now(), to_micros);
    key_store(call)?.destroy(&request.names, at).await?;
    Ok(DestroyDataKeysResponse {})
}
