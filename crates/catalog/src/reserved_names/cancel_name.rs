//! Ends the reservation of a write that failed.

use pavise_kernel::{Call, Common, Result};

use crate::contract::actions::reserved_name as actions;
use crate::contract::v1::{CancelNameRequest, CancelNameResponse, ReservedName, ReservedNameStatus};

/// Tries of a call whose name other calls change at the same time.
const ATTEMPTS: usize = 10;

pub(crate) async fn cancel_name(call: &Call, request: CancelNameRequest) -> Result<CancelNameResponse> {
    for _ in 0..ATTEMPTS {
        match attempt(call, &request).await {
            Err(error) if error.is(Common::Contention) => tokio::task::yield_now().await,
            other => return other,
        }
    }
    attempt(call, &request).await
}

async fn attempt(call: &Call, request: &CancelNameRequest) -> Result<CancelNameResponse> {
    let Some(name) = call.find_unscoped::<ReservedName>(&request.id).await? else { return Ok(CancelNameResponse {}) };
    let mut after = name.clone();
    after.claims.retain(|claim| claim.id != request.claim_id);
    // A repeat finds the claim gone, and another holder's name has none of that id.
    if after.claims.len() < name.claims.len() {
        let mut unit = call.unit();
        if after.claims.is_empty() && name.status() == ReservedNameStatus::Reserved {
            unit.remove_as(name, actions::RELEASED)?;
        } else {
            unit.update_as(&name, after, actions::LOOSENED)?;
        }
        unit.commit().await?;
    }
    Ok(CancelNameResponse {})
}
