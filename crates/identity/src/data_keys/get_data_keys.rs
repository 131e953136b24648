//! Answers wrapped keys by their names.

use pavise_kernel::{Call, Result};

use super::support::{as_message, key_store};
use crate::contract::v1::{GetDataKeysRequest, GetDataKeysResponse};

pub(crate) async fn get_data_keys(call: &Call, request: GetDataKeysRequest) -> Result<GetDataKeysResponse> {
    let keys = key_store(call)?.keys(&request.names).await?;
    Ok(GetDataKeysResponse { keys: keys.into_iter().map(as_message).collect() })
}
