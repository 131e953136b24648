//! DeletePasskey.

use pavise_kernel::{Call, Result};

use super::passkeys_of;
use crate::contract::v1::{DeletePasskeyRequest, Passkey};
use crate::factors::rules::{keeps_one, may_remove};
use crate::factors::set::Set;
use crate::factors::{Factors, told};

pub(in crate::factors) async fn delete_passkey(
    service: &Factors,
    call: &Call,
    request: &DeletePasskeyRequest,
) -> Result<Passkey> {
    let passkey: Passkey = call.get(&request.passkey_id).await?;
    call.permit(&passkey)?;
    may_remove(call, &passkey.owner_id, true).await?;
    let factors = Set::load(call, &passkey.owner_id).await?.after.sign_in_factors;
    let left = passkeys_of(call, &passkey.owner_id).await?.len().saturating_sub(1);
    keeps_one(call, &passkey.owner_id, left + usize::try_from(factors).unwrap_or(0)).await?;
    let mut unit = call.unit();
    told::changed(service, call, &mut unit, &passkey.owner_id).await?;
    let passkey = unit.remove(passkey)?;
    unit.answer(passkey).await
}
