//! Frozen versions of a product.

use pavise_kernel::{Call, Result};
use prost_types::Timestamp;

use crate::contract::v1::{Benefit, Product, ProductVersion};

impl ProductVersion {
    /// The id of a product's version.
    pub(crate) fn id_of(product_id: &str, number: i32) -> String {
        format!("{product_id}.{number}")
    }

    /// A frozen copy of a product that is written at this time, with the benefits that it names.
    pub(in crate::products) fn freeze(product: &Product, benefits: Vec<Benefit>, at: Timestamp) -> Self {
        Self {
            id: Self::id_of(&product.id, product.product_version),
            product_id: product.id.clone(),
            product_version: product.product_version,
            product: Some(Product { version: product.version + 1, updated_at: Some(at), ..product.clone() }),
            benefits,
            ..Self::default()
        }
    }

    /// Whether the content of a product, and the benefits that it names, are as they were frozen.
    fn is_content_of(&self, product: &Product, benefits: &[Benefit]) -> bool {
        let content = self.product.as_ref().map(content_of);
        content == Some(content_of(product)) && promises_of(&self.benefits) == promises_of(benefits)
    }
}

/// Whether the newest version of a product has its present content.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn is_frozen(call: &Call, product: &Product) -> Result<bool> {
    let id = ProductVersion::id_of(&product.id, product.product_version);
    let Some(newest) = call.find_unscoped::<ProductVersion>(&id).await? else { return Ok(false) };
    Ok(newest.is_content_of(product, &load_benefits(call, product).await?))
}

/// The benefits that a product names.
///
/// # Errors
/// When the database does not answer.
pub(in crate::products) async fn load_benefits(call: &Call, product: &Product) -> Result<Vec<Benefit>> {
    let ids = product.benefits.iter().map(|one| one.benefit_id.clone()).filter(|id| !id.is_empty());
    call.find_many(&ids.collect::<Vec<_>>()).await
}

/// The product without its life, its places in the shop and its count of versions.
fn content_of(product: &Product) -> Product {
    let mut content = Product { created_at: None, updated_at: None, ..product.clone() };
    (content.status, content.version, content.product_version) = (0, 0, 0);
    content.site_name.clear();
    content.successor_id.clear();
    content.product_family_id.clear();
    content
}

/// The benefits without their count of changes, by their ids.
fn promises_of(benefits: &[Benefit]) -> Vec<Benefit> {
    let promise = |one: &Benefit| Benefit { version: 0, created_at: None, updated_at: None, ..one.clone() };
    let mut promises: Vec<Benefit> = benefits.iter().map(promise).collect();
    promises.sort_by(|one, other| one.id.cmp(&other.id));
    promises
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::ProductStatus;
    use crate::shared::sample::{sample_product, sample_tier};

    const AT: Timestamp = Timestamp { seconds: 7, nanos: 0 };

    fn product() -> Product {
        Product { version: 4, product_version: 2, ..sample_product("legal", vec![sample_tier("family", 1)]) }
    }

    #[test]
    fn a_frozen_copy_is_the_product_as_its_readers_see_it() {
        let frozen = ProductVersion::freeze(&product(), Vec::new(), AT);
        assert_eq!((frozen.id.as_str(), frozen.product_version), ("legal.2", 2));
        assert_eq!(frozen.product, Some(Product { version: 5, updated_at: Some(AT), ..product() }));
    }

    #[test]
    fn only_what_a_buyer_gets_is_content() {
        let frozen = ProductVersion::freeze(&product(), Vec::new(), AT);
        let is_content = |change: &dyn Fn(&mut Product)| {
            let mut changed = product();
            change(&mut changed);
            frozen.is_content_of(&changed, &[])
        };
        assert!(is_content(&|_| ()));
        assert!(is_content(&|product| {
            product.version = 9;
            product.set_status(ProductStatus::Inactive);
            product.site_name = "legal".to_owned();
            product.product_family_id = "other".to_owned();
        }));
        assert!(!is_content(&|product| product.tiers.clear()));
        assert!(!is_content(&|product| product.taxable = true));
    }

    #[test]
    fn the_promises_of_its_benefits_are_content_too() {
        let benefit = |id: &str, days: i32| Benefit { id: id.to_owned(), waiting_days: days, ..Benefit::default() };
        let frozen = ProductVersion::freeze(&product(), vec![benefit("a", 1), benefit("b", 2)], AT);
        assert!(frozen.is_content_of(&product(), &[benefit("b", 2), Benefit { version: 3, ..benefit("a", 1) }]));
        assert!(!frozen.is_content_of(&product(), &[benefit("a", 1), benefit("b", 30)]));
        assert!(!frozen.is_content_of(&product(), &[benefit("a", 1)]));
    }
}
