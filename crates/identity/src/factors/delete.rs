//! What goes with a factor, and with an identity.

use pavise_kernel::{Call, Result, Unit};

use super::rules::{keeps_one, may_remove};
use super::set::{Set, factors_of};
use super::{Factors, challenge, passkeys, told};
use crate::contract::v1::{Factor, FactorSet, FactorStatus};

/// Whether a factor may go, and what goes with it: another one becomes primary, and the owner is told.
pub(super) async fn goes(service: &Factors, call: &Call, unit: &mut Unit<'_>, factor: &Factor) -> Result<()> {
    may_remove(call, &factor.owner_id, factor.status() == FactorStatus::Active).await?;
    if factor.status() != FactorStatus::Active {
        return Ok(());
    }
    let mut set = Set::load(call, &factor.owner_id).await?;
    let left = factors_of(call, &factor.owner_id).await?;
    let next = set.removed(factor, &left);
    if factor.signs_in() {
        let passkeys = passkeys::passkeys_of(call, &factor.owner_id).await?.len();
        keeps_one(call, &factor.owner_id, passkeys + usize::try_from(set.after.sign_in_factors).unwrap_or(0)).await?;
    }
    if let Some(next) = next {
        unit.update_as(next, Factor { primary: true, ..next.clone() }, "MULTIFACTOR_MADE_PRIMARY")?;
    }
    set.write(unit, call.method().action)?;
    told::changed(service, call, unit, &factor.owner_id).await
}

/// Adds to the commit that removes an identity that all its factors go with it.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn remove_all(call: &Call, unit: &mut Unit<'_>, identity_id: &str) -> Result<()> {
    for factor in factors_of(call, identity_id).await? {
        unit.remove(factor)?;
    }
    passkeys::remove_all(call, unit, identity_id).await?;
    challenge::remove_all(call, unit, identity_id).await?;
    if let Some(set) = call.find::<FactorSet>(identity_id).await? {
        unit.remove(set)?;
    }
    Ok(())
}
