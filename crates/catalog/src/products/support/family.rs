//! The family of a product.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{ErrorReason, Family, ProductFamily, ProductFamilyStatus};

/// Checks that a product of a kind can belong to a family. `field` is the path of the family in the request. Without a
/// family, it belongs to none.
///
/// # Errors
/// `INVALID_FIELD` when there is no such family of that kind, `FAMILY_CANCELED`.
pub(crate) async fn check_family(call: &Call, field: &str, family_id: &str, kind: ProductFamily) -> Result<()> {
    if family_id.is_empty() {
        return Ok(());
    }
    let Some(family) = call.find_unscoped::<Family>(family_id).await? else {
        return Err(Error::field(field, "there is no such family"));
    };
    if family.kind() != kind {
        return Err(Error::field(field, format!("is a family of {}", family.kind().spelling())));
    }
    check_active(&family)
}

/// Refuses a family that is not active.
///
/// # Errors
/// `FAMILY_CANCELED`.
pub(crate) fn check_active(family: &Family) -> Result<()> {
    if family.status() == ProductFamilyStatus::Active {
        return Ok(());
    }
    let message = format!("the family {} is {}", family.id, family.status().spelling());
    Err(Error::new(ErrorReason::FamilyCanceled, message).with("familyId", family.id.clone()))
}
