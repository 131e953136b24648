//! What goes with a passkey.

use pavise_kernel::{Call, Result, Unit};

use super::passkeys_of;
use crate::contract::v1::Passkey;
use crate::factors::rules::{keeps_one, may_remove};
use crate::factors::set::Set;
use crate::factors::{Factors, told};

/// Whether a passkey may go; its owner is told.
pub(in crate::factors) async fn goes(service: &Factors, call: &Call, unit: &mut Unit<'_>, passkey: &Passkey) -> Result<()> {
    may_remove(call, &passkey.owner_id, true).await?;
    let factors = Set::load(call, &passkey.owner_id).await?.after.sign_in_factors;
    let left = passkeys_of(call, &passkey.owner_id).await?.len().saturating_sub(1);
    keeps_one(call, &passkey.owner_id, left + usize::try_from(factors).unwrap_or(0)).await?;
    told::changed(service, call, unit, &passkey.owner_id).await
}
