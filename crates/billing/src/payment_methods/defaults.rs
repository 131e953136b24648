//! Which of a member's payment methods is used when nothing else is named.

use pavise_kernel::{Call, Page, Result, Unit};

use crate::contract::v1::{PaymentMethod, PaymentMethodStatus};

/// The active methods of the member whom the call names, newest first.
pub(super) async fn active(call: &Call) -> Result<Vec<PaymentMethod>> {
    let only = vec![("status", PaymentMethodStatus::Active.spelling().to_owned())];
    let (methods, _) = call.page::<PaymentMethod>(Page { size: 500, token: "", filters: only }).await?;
    Ok(methods)
}

/// Takes the place as the default from whichever of `others` has it.
pub(super) fn clear(unit: &mut Unit<'_>, others: &[PaymentMethod]) -> Result<()> {
    for other in others.iter().filter(|other| other.is_default) {
        unit.update_as(other, PaymentMethod { is_default: false, ..other.clone() }, "UPDATED")?;
    }
    Ok(())
}

/// Gives the place as the default, which `leaving` had, to the newest of the others.
pub(super) fn pass_on(unit: &mut Unit<'_>, leaving: &PaymentMethod, others: &[PaymentMethod]) -> Result<()> {
    let heir = others.iter().find(|other| other.id != leaving.id);
    if let Some(heir) = heir.filter(|heir| leaving.is_default && !heir.is_default) {
        unit.update_as(heir, PaymentMethod { is_default: true, ..heir.clone() }, "UPDATED")?;
    }
    Ok(())
}
