//! The frozen versions of the products of an offer.

use pavise_kernel::{Call, Result};

use crate::contract::v1::product_service_client::ProductServiceClient;
use crate::contract::v1::{OfferedVersion, Product, VersionProductRequest};
use crate::products::is_frozen;

/// Freezes what changed in each product since its newest version, and answers the versions.
///
/// # Errors
/// When a product is being changed by others, or the database does not answer.
pub(in crate::offers) async fn freeze_products(call: &Call, products: &[Product]) -> Result<Vec<OfferedVersion>> {
    let mut versions = Vec::with_capacity(products.len());
    for product in products {
        let product_version = freeze_product(call, product).await?;
        versions.push(OfferedVersion { product_id: product.id.clone(), product_version });
    }
    Ok(versions)
}

/// Products have another journal than offers, so a call of its own freezes each. A repeat finds it frozen.
async fn freeze_product(call: &Call, product: &Product) -> Result<i32> {
    if is_frozen(call, product).await? {
        return Ok(product.product_version);
    }
    if call.validate_only() {
        return Ok(product.product_version + 1);
    }
    let step = format!("freeze {} of version {}", product.id, product.version);
    let request = call.peer_request(VersionProductRequest { product_id: product.id.clone() }, &step);
    let frozen = ProductServiceClient::new(call.peer_channel("catalog")).version_product(request).await?;
    Ok(frozen.into_inner().product_version)
}
