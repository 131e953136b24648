//! The removal of all factors of an identity.

use pavise_kernel::{Call, Result, Unit};

use super::set::factors_of;
use super::{challenge, passkeys};
use crate::contract::v1::FactorSet;

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
    if let Some(set) = call.find_unscoped::<FactorSet>(identity_id).await? {
        unit.remove(set)?;
    }
    Ok(())
}
