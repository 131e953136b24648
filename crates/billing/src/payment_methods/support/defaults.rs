//! The default payment method of a member: the one that is used when none is named.

use pavise_kernel::{Call, Page, Result, Unit};

use crate::contract::actions::payment_method as actions;
use crate::contract::lookups::payment_method as lookups;
use crate::contract::v1::{PaymentMethod, PaymentMethodStatus};

/// Loads the active methods of the member whom the call names, newest first.
pub(crate) async fn load_active(call: &Call) -> Result<Vec<PaymentMethod>> {
    let only = vec![(lookups::STATUS, PaymentMethodStatus::Active.spelling().to_owned())];
    let (methods, _) = call.list_page::<PaymentMethod>(Page { size: 500, token: "", filters: only }).await?;
    Ok(methods)
}

/// Loads the active methods of an owner, newest first. The commit relies on them. The worker's calls name no member.
pub(crate) async fn load_active_of(call: &Call, unit: &mut Unit<'_>, owner: &str) -> Result<Vec<PaymentMethod>> {
    let rows = unit.expects_owned::<PaymentMethod>(owner).await?;
    let active = rows.into_iter().filter(|row| row.status == PaymentMethodStatus::Active.spelling());
    call.find_many(&active.map(|row| row.id).collect::<Vec<_>>()).await
}

/// Makes none of `others` the default.
pub(crate) fn clear_default(unit: &mut Unit<'_>, others: &[PaymentMethod]) -> Result<()> {
    for other in others.iter().filter(|other| other.is_default) {
        unit.update_as(other, PaymentMethod { is_default: false, ..other.clone() }, actions::UPDATED)?;
    }
    Ok(())
}

/// Makes the newest of `others` the default in the place of `leaving`.
pub(crate) fn pass_on_default(unit: &mut Unit<'_>, leaving: &PaymentMethod, others: &[PaymentMethod]) -> Result<()> {
    let heir = others.iter().find(|other| other.id != leaving.id);
    if let Some(heir) = heir.filter(|heir| leaving.is_default && !heir.is_default) {
        unit.update_as(heir, PaymentMethod { is_default: true, ..heir.clone() }, actions::UPDATED)?;
    }
    Ok(())
}
