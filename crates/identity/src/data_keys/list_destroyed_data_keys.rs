//! Answers the list of the erased.

use pavise_kernel::{Call, Result};

use super::support::{as_message, key_store};
use crate::contract::v1::{ListDestroyedDataKeysRequest, ListDestroyedDataKeysResponse};

pub(crate) async fn list_destroyed_data_keys(
    call: &Call,
    request: ListDestroyedDataKeysRequest,
) -> Result<ListDestroyedDataKeysResponse> {
    let limit = u32::try_from(request.limit).unwrap_or_default();
    let keys = key_store(call)?.destroyed(&request.after, limit).await?;
    Ok(ListDestroyedDataKeysResponse { keys: keys.into_iter().map(as_message).collect() })
}
