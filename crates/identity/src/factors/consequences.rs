//! Consequences of a removed factor or passkey, and of another primary factor.

use pavise_kernel::{Call, Consequences, Error, Result, Step, Unit};

use super::rules::{check_keeps_one, check_removal};
use super::support::notice;
use super::support::passkeys::passkeys_of;
use super::support::set::{Set, factors_of};
use crate::contract::actions;
use crate::contract::v1::{ErrorReason, Factor, FactorStatus, Passkey};
use crate::shared::tools::Tools as _;

impl Consequences for Factor {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        match (&step.before, &step.after) {
            (Some(before), None) => remove_factor(call, &mut step.unit, before).await,
            (Some(before), Some(after)) if after.primary && !before.primary => {
                replace_primary(call, &mut step.unit, after).await
            }
            _ => Ok(()),
        }
    }
}

impl Consequences for Passkey {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        match (&step.before, &step.after) {
            (Some(before), None) => remove_passkey(call, &mut step.unit, before).await,
            _ => Ok(()),
        }
    }
}

/// Checks that a factor may be removed. Another one becomes primary, and the owner gets a notice.
async fn remove_factor(call: &Call, unit: &mut Unit<'_>, factor: &Factor) -> Result<()> {
    check_removal(call, &factor.owner_id, factor.status() == FactorStatus::Active).await?;
    if factor.status() != FactorStatus::Active {
        return Ok(());
    }
    let mut set = Set::load(call, &factor.owner_id).await?;
    let left = factors_of(call, &factor.owner_id).await?;
    let next = set.drop_removed(factor, &left);
    if factor.signs_in() {
        let passkeys = passkeys_of(call, &factor.owner_id).await?.len();
        let others = left.iter().filter(|other| other.id != factor.id && other.signs_in()).count();
        check_keeps_one(call, &factor.owner_id, passkeys + others).await?;
    }
    if let Some(next) = next {
        unit.update_as(
            next,
            Factor { primary: true, ..next.clone() },
            actions::identity_audit::MULTIFACTOR_MADE_PRIMARY,
        )?;
    }
    set.write(unit, call.method().action)?;
    let service = call.factors()?;
    notice::add_notice(&service, call, unit, &factor.owner_id).await
}

/// Checks that a passkey may be removed. The owner gets a notice.
async fn remove_passkey(call: &Call, unit: &mut Unit<'_>, passkey: &Passkey) -> Result<()> {
    check_removal(call, &passkey.owner_id, true).await?;
    let factors = factors_of(call, &passkey.owner_id).await?.iter().filter(|factor| factor.signs_in()).count();
    let left = passkeys_of(call, &passkey.owner_id).await?.len().saturating_sub(1);
    check_keeps_one(call, &passkey.owner_id, left + factors).await?;
    let service = call.factors()?;
    notice::add_notice(&service, call, unit, &passkey.owner_id).await
}

/// Ends the primacy of the factor before, in the commit that makes another one primary.
async fn replace_primary(call: &Call, unit: &mut Unit<'_>, factor: &Factor) -> Result<()> {
    if !factor.r#type().completes_sign_in() {
        let message = format!("a factor of type {} completes no sign-in", factor.r#type().spelling());
        return Err(Error::new(ErrorReason::FactorTypeNotAllowed, message));
    }
    let mut set = Set::load(call, &factor.owner_id).await?;
    let before = call.find_unscoped::<Factor>(&set.after.primary_factor_id).await?;
    set.after.primary_factor_id.clone_from(&factor.id);
    set.write(unit, call.method().action)?;
    if let Some(before) = before {
        unit.update_as(
            &before,
            Factor { primary: false, ..before.clone() },
            actions::identity_audit::MULTIFACTOR_NO_LONGER_PRIMARY,
        )?;
    }
    Ok(())
}
