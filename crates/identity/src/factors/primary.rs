//! SetPrimaryFactor: which factor a sign-in offers first.

use pavise_kernel::{Call, Error, Result};

use super::rules::owner_only;
use super::set::Set;
use crate::contract::v1::{ErrorReason, Factor, SetPrimaryFactorRequest};

pub(super) async fn set_primary_factor(call: &Call, request: &SetPrimaryFactorRequest) -> Result<Factor> {
    owner_only(call, &request.identity_id)?;
    let factor: Factor = call.get(&request.factor_id).await?;
    call.permit(&factor)?;
    if !factor.r#type().completes_sign_in() {
        let message = format!("a factor of type {} completes no sign-in", factor.r#type().spelling());
        return Err(Error::new(ErrorReason::FactorTypeNotAllowed, message));
    }
    if factor.primary {
        return Ok(factor);
    }
    let mut set = Set::load(call, &factor.owner_id).await?;
    let before = call.find::<Factor>(&set.after.primary_factor_id).await?;
    set.after.primary_factor_id.clone_from(&factor.id);
    let mut unit = call.unit();
    set.write(&mut unit, call.method().action)?;
    if let Some(before) = before {
        unit.update_as(&before, Factor { primary: false, ..before.clone() }, "MULTIFACTOR_NO_LONGER_PRIMARY")?;
    }
    let after = unit.update(&factor, Factor { primary: true, ..factor.clone() })?;
    unit.answer(after).await
}
