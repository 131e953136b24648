//! Answers a frozen version of a product.

use pavise_kernel::aggregate::Aggregate as _;
use pavise_kernel::{Call, Error, Result};

use crate::contract::roles;
use crate::contract::v1::{GetProductVersionRequest, Product, ProductStatus, ProductVersion};

pub(crate) async fn get_product_version(call: &Call, request: GetProductVersionRequest) -> Result<ProductVersion> {
    let id = ProductVersion::id_of(&request.product_id, request.version);
    let frozen: ProductVersion = call.get(&id).await?;
    if call.has_role(roles::STAFF) {
        return Ok(frozen);
    }
    if !was_on_sale(call, &frozen).await? {
        return Err(Error::not_found(ProductVersion::TABLE.noun, &id));
    }
    Ok(view_version(frozen))
}

/// Whether the product of a version is on sale, or was. Of a deleted product the versions tell, from this one on.
async fn was_on_sale(call: &Call, frozen: &ProductVersion) -> Result<bool> {
    let is_sold = |product: &Product| product.status() != ProductStatus::Created;
    if let Some(product) = call.find_unscoped::<Product>(&frozen.product_id).await? {
        return Ok(is_sold(&product));
    }
    let mut version = Some(frozen.clone());
    while let Some(one) = version {
        if one.product.as_ref().is_some_and(is_sold) {
            return Ok(true);
        }
        let next = ProductVersion::id_of(&one.product_id, one.product_version.saturating_add(1));
        version = call.find_unscoped(&next).await?;
    }
    Ok(false)
}

/// The version as members see it: without what the product and its benefits have for staff.
fn view_version(mut frozen: ProductVersion) -> ProductVersion {
    if let Some(product) = &mut frozen.product {
        product.feature_keys.clear();
        product.successor_id.clear();
    }
    for benefit in &mut frozen.benefits {
        benefit.internal_name.clear();
        benefit.metadata.clear();
    }
    frozen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{Benefit, BenefitMetadata, ProductFeatureKey};
    use crate::shared::sample::sample_product;

    #[test]
    fn members_see_what_they_bought_and_nothing_for_staff() {
        let product = Product {
            feature_keys: vec![ProductFeatureKey::GunOwners.into()],
            successor_id: "next".to_owned(),
            ..sample_product("legal", Vec::new())
        };
        let benefit = Benefit {
            name: "Will".to_owned(),
            internal_name: "will-2".to_owned(),
            metadata: vec![BenefitMetadata::default()],
            ..Benefit::default()
        };
        let frozen = ProductVersion { product: Some(product), benefits: vec![benefit], ..ProductVersion::default() };
        let seen = view_version(frozen);
        assert_eq!(seen.product, Some(sample_product("legal", Vec::new())));
        assert_eq!(seen.benefits, [Benefit { name: "Will".to_owned(), ..Benefit::default() }]);
    }
}
