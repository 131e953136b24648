//! The family of a product.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{ErrorReason, Family, Product, ProductFamily, ProductFamilyStatus};
use crate::shared::family::shipped_id;

impl Product {
    /// Puts a product without a family into the shipped one of its kind.
    ///
    /// # Errors
    /// `INVALID_FIELD` when neither is known. `field` is the path of the family in the request.
    pub(in crate::products) fn choose_family(&mut self, field: &str) -> Result<()> {
        if self.product_family_id.is_empty() {
            self.product_family_id = shipped_id(self.family());
        }
        if self.product_family_id.is_empty() {
            return Err(Error::field(field, "name a family, or its kind"));
        }
        Ok(())
    }
}

/// Checks that a product of a kind can belong to a family. `field` is the path of the family in the request. Without a
/// family, the shipped one counts; without a kind, any family does.
///
/// # Errors
/// `INVALID_FIELD` when there is no such family of that kind, `FAMILY_CANCELED`.
pub(crate) async fn check_family(call: &Call, field: &str, family_id: &str, kind: ProductFamily) -> Result<()> {
    let shipped = shipped_id(kind);
    let id = if family_id.is_empty() { &shipped } else { family_id };
    let Some(family) = call.find_unscoped::<Family>(id).await? else {
        let lacking = if id.is_empty() { "name a family, or its kind" } else { "there is no such family" };
        return Err(Error::field(field, lacking));
    };
    check_kind(field, family.kind(), kind)?;
    check_active(&family)
}

/// Checks that a family has the kind that a request names, if it names one.
///
/// # Errors
/// `INVALID_FIELD`.
pub(in crate::products) fn check_kind(field: &str, own: ProductFamily, wanted: ProductFamily) -> Result<()> {
    if wanted == ProductFamily::Unspecified || own == wanted {
        return Ok(());
    }
    Err(Error::field(field, format!("is a family of {}", own.spelling())))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::sample::sample_product;

    #[test]
    fn a_product_without_a_family_gets_the_shipped_one_of_its_kind() {
        let mut legal = sample_product("legal", Vec::new());
        legal.choose_family("product.product_family_id").unwrap();
        assert_eq!(legal.product_family_id, shipped_id(ProductFamily::Legal));
        legal.product_family_id = "own".to_owned();
        legal.choose_family("product.product_family_id").unwrap();
        assert_eq!(legal.product_family_id, "own");
        let refused = Product::default().choose_family("product.product_family_id").unwrap_err();
        assert_eq!(refused.violations()[0].field, "product.product_family_id");
    }
}
