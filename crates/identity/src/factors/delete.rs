//! DeleteFactor, and what goes with an identity.

use pavise_kernel::{Call, Common, Error, Result, Unit};

use super::rules::recently_proven;
use super::set::{Set, factors_of};
use super::{Factors, challenge, told};
use crate::contract::v1::{DeleteFactorRequest, Factor, FactorSet, FactorStatus};

/// What it takes to remove another's factor.
const OTHERS: &str = "identity.factors.delete";

pub(super) async fn delete_factor(service: &Factors, call: &Call, request: &DeleteFactorRequest) -> Result<Factor> {
    let factor: Factor = call.get(&request.factor_id).await?;
    call.permit(&factor)?;
    if call.caller().identity != factor.owner_id {
        if !call.caller().has(OTHERS) {
            let message = format!("this call needs the permission {OTHERS}");
            return Err(Error::new(Common::PermissionMissing, message).with("permission", OTHERS));
        }
    } else if factor.status() == FactorStatus::Active {
        recently_proven(call, &factor.owner_id).await?;
    }
    let mut unit = call.unit();
    if factor.status() == FactorStatus::Active {
        let mut set = Set::load(call, &factor.owner_id).await?;
        let left = factors_of(call, &factor.owner_id).await?;
        if let Some(next) = set.removed(&factor, &left) {
            unit.update_as(next, Factor { primary: true, ..next.clone() }, "MULTIFACTOR_MADE_PRIMARY")?;
        }
        set.write(&mut unit, call.method().action)?;
        told::changed(service, call, &mut unit, &factor.owner_id).await?;
    }
    let factor = unit.remove(factor)?;
    unit.answer(factor).await
}

/// Adds to the commit that removes an identity that all its factors go with it.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn remove_all(call: &Call, unit: &mut Unit<'_>, identity_id: &str) -> Result<()> {
    for factor in factors_of(call, identity_id).await? {
        unit.remove(factor)?;
    }
    challenge::remove_all(call, unit, identity_id).await?;
    if let Some(set) = call.find::<FactorSet>(identity_id).await? {
        unit.remove(set)?;
    }
    Ok(())
}
