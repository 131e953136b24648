//! Confirms the name of a holder that was written.

use pavise_kernel::{Call, Result};

use super::support::register::{Holder, register_name};
use crate::contract::v1::{HoldNameRequest, HoldNameResponse};

pub(crate) async fn hold_name(call: &Call, request: HoldNameRequest) -> Result<HoldNameResponse> {
    let holder = Holder {
        service: &request.holder_service,
        aggregate: &request.holder_aggregate,
        id: &request.holder_id,
        created_at: request.holder_created_at.as_ref(),
        version: request.holder_version,
    };
    let held = register_name(call, request.space, Some(&request.id), holder).await?;
    Ok(HoldNameResponse { held })
}
