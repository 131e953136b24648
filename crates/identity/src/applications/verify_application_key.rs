//! Tells whether an application's key is good, and whose it is.

use pavise_kernel::{Call, Result};

use super::support::prove::prove_key;
use crate::contract::v1::{VerifyApplicationKeyRequest, VerifyApplicationKeyResponse};
use crate::shared::grants;
use crate::shared::throttle::{Kind, Throttle};
use crate::shared::tools::Tools as _;

pub(crate) async fn verify_application_key(
    call: &Call,
    request: VerifyApplicationKeyRequest,
) -> Result<VerifyApplicationKeyResponse> {
    let service = &*call.applications()?;
    let proven = prove_key(call, &request.key).await?;
    let expected = |id: &str| request.application_id.is_empty() || request.application_id == id;
    if let Some(proven) = proven.filter(|proven| expected(&proven.application.id)) {
        return Ok(VerifyApplicationKeyResponse {
            valid: true,
            application_id: proven.application.id,
            name: proven.application.name,
            owner_id: proven.application.owner_id,
            permissions: grants::as_messages(&proven.permissions),
            key_id: proven.key.id,
            expires_at: proven.key.expires_at,
        });
    }
    // Bad keys are rate-limited, although 256 random bits cannot be guessed. The limit is that of an address, because a
    // gateway calls for many.
    let caller = Throttle::key(Kind::Address, &format!("verify {}", call.caller().actor_identity()));
    service.throttle.check_wait(&caller, call.machine_now())?;
    service.throttle.count_failure(&caller, call.machine_now());
    Ok(VerifyApplicationKeyResponse::default())
}
