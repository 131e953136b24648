//! A product with a new version number leaves a frozen copy of itself. None is put on sale in a canceled family.

use pavise_kernel::{Call, Consequences, Result, Step};
use prost_types::Timestamp;

use super::support::family::check_active;
use super::support::offered::check_removed_parts;
use super::support::prices::check_begun_prices;
use crate::contract::v1::{Family, Product, ProductStatus, ProductVersion};

impl Consequences for Product {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let (Some(before), Some(after)) = (&step.before, &step.after) else { return Ok(()) };
        if before.status() != ProductStatus::Created {
            check_begun_prices(before, after, call.today())?;
        }
        check_removed_parts(&mut step.unit, before, after).await?;
        if before.product_version < after.product_version {
            let version = ProductVersion::freeze(after, call.timestamp());
            step.unit.create_as(version, step.action)?;
        }
        if before.status() == ProductStatus::Active || after.status() != ProductStatus::Active {
            return Ok(());
        }
        if let Some(family) = call.find_unscoped::<Family>(&after.product_family_id).await? {
            check_active(&family)?;
            step.unit.expect_unchanged(&family);
        }
        Ok(())
    }
}

impl ProductVersion {
    /// The id of a product's version.
    pub(super) fn id_of(product_id: &str, number: i32) -> String {
        format!("{product_id}.{number}")
    }

    /// A frozen copy of a product that is written at this time.
    fn freeze(product: &Product, at: Timestamp) -> Self {
        Self {
            id: Self::id_of(&product.id, product.product_version),
            product_id: product.id.clone(),
            product_version: product.product_version,
            product: Some(Product { version: product.version + 1, updated_at: Some(at), ..product.clone() }),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::sample::{sample_product, sample_tier};

    #[test]
    fn a_frozen_copy_is_the_product_as_its_readers_see_it() {
        let product =
            Product { version: 4, product_version: 2, ..sample_product("legal", vec![sample_tier("family", 1)]) };
        let at = Timestamp { seconds: 7, nanos: 0 };
        let frozen = ProductVersion::freeze(&product, at);
        assert_eq!((frozen.id.as_str(), frozen.product_version), ("legal.2", 2));
        assert_eq!(frozen.product, Some(Product { version: 5, updated_at: Some(at), ..product }));
    }
}
