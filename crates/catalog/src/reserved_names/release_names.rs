//! Frees the names of a holder that has none any more.

use pavise_kernel::{Call, Result};

use super::support::register::{Holder, register_name};
use crate::contract::v1::{ReleaseNamesRequest, ReleaseNamesResponse};

pub(crate) async fn release_names(call: &Call, request: ReleaseNamesRequest) -> Result<ReleaseNamesResponse> {
    let holder = Holder {
        service: &request.holder_service,
        aggregate: &request.holder_aggregate,
        id: &request.holder_id,
        created_at: request.holder_created_at.as_ref(),
        version: request.holder_version,
    };
    register_name(call, request.space, None, holder).await?;
    Ok(ReleaseNamesResponse {})
}
