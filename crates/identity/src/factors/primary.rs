//! Another factor becomes the one that a sign-in offers first.

use pavise_kernel::{Call, Error, Result, Unit};

use super::set::Set;
use crate::contract::v1::{ErrorReason, Factor};

/// Adds to the commit that makes a factor the primary one that the one before is it no more.
pub(super) async fn takes_over(call: &Call, unit: &mut Unit<'_>, factor: &Factor) -> Result<()> {
    if !factor.r#type().completes_sign_in() {
        let message = format!("a factor of type {} completes no sign-in", factor.r#type().spelling());
        return Err(Error::new(ErrorReason::FactorTypeNotAllowed, message));
    }
    let mut set = Set::load(call, &factor.owner_id).await?;
    let before = call.find::<Factor>(&set.after.primary_factor_id).await?;
    set.after.primary_factor_id.clone_from(&factor.id);
    set.write(unit, call.method().action)?;
    if let Some(before) = before {
        unit.update_as(&before, Factor { primary: false, ..before.clone() }, "MULTIFACTOR_NO_LONGER_PRIMARY")?;
    }
    Ok(())
}
