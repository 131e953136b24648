//! Frees a name whose reservation ran out.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{ExpireNameRequest, ExpireNameResponse, ReservedName};

pub(crate) async fn expire_name(call: &Call, request: ExpireNameRequest) -> Result<ExpireNameResponse> {
    let name = call.find_unscoped::<ReservedName>(&request.id).await?;
    let mut unit = call.unit();
    if let Some(name) = name.filter(|name| name.is_expired(call.now())) {
        unit.remove(name)?;
    }
    unit.commit_answer(ExpireNameResponse {}).await
}
