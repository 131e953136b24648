//! Replaces the recovery codes of an identity with ten new ones.

use pavise_kernel::{Call, Result};

use super::rules::check_recent_proof;
use super::support::recovery_codes::{CODES, hash_code, new_code};
use super::support::set::Set;
use crate::contract::v1::{CreateRecoveryCodesRequest, CreateRecoveryCodesResponse, RecoveryCode};

pub(crate) async fn create_recovery_codes(
    call: &Call,
    request: CreateRecoveryCodesRequest,
) -> Result<CreateRecoveryCodesResponse> {
    check_recent_proof(call, &request.identity_id).await?;
    let mut set = Set::load(call, &request.identity_id).await?;
    let codes: Vec<String> = (0..CODES).map(|_| new_code(call.kernel().ids())).collect();
    let kept = |code: &String| RecoveryCode { hash: hash_code(&request.identity_id, code), used_at: None };
    set.after.recovery_codes = codes.iter().map(kept).collect();
    set.after.recovery_codes_made_at = Some(call.timestamp());
    let mut unit = call.unit();
    set.write(&mut unit, call.method().action)?;
    // No answer is kept for a repeat: it would be the codes. A repeat makes others.
    unit.commit().await.map_err(|error| set.contention_error(error))?;
    let codes = if call.validate_only() { Vec::new() } else { codes };
    Ok(CreateRecoveryCodesResponse { codes, made_at: Some(call.timestamp()) })
}
