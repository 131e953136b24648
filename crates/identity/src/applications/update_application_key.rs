//! Adds a key to an application and ends the ones before.

use pavise_kernel::{Call, Result};

use super::support::key::NewKey;
use crate::contract::v1::{Application, IssuedApplicationKey, UpdateApplicationKeyRequest};
use crate::shared::grants;
use crate::shared::grants::GrantedRights;

pub(crate) async fn update_application_key(
    call: &Call,
    request: UpdateApplicationKeyRequest,
) -> Result<IssuedApplicationKey> {
    let before: Application = call.get(&request.application_id).await?;
    call.check_transition(&before)?;
    // The bearer of the key gets the application's permissions, so the caller must have them.
    GrantedRights::permissions(&grants::by_application(&before.permissions)).check(call.caller(), false)?;
    let key = NewKey::new(call);
    let mut after = before.clone();
    after.add_key(
        key.record.clone(),
        i64::from(request.overlap_seconds).saturating_mul(1_000_000),
        call.machine_now(),
    )?;
    let mut unit = call.unit();
    let after = unit.update(&before, after)?;
    key.show_key(call, unit, after).await
}
