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
    let product: Option<Product> = call.find_unscoped(&request.product_id).await?;
    if !was_on_sale(product.as_ref().or(frozen.product.as_ref())) {
        return Err(Error::not_found(ProductVersion::TABLE.noun, &id));
    }
    Ok(view_version(frozen))
}

fn was_on_sale(product: Option<&Product>) -> bool {
    product.is_some_and(|product| product.status() != ProductStatus::Created)
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
