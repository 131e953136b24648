//! Freezes the content of a product as its next version, if it changed.

use pavise_kernel::{Call, Common, Error, Result};

use super::support::version::is_frozen;
use crate::contract::v1::{Product, VersionProductRequest};

pub(crate) async fn version_product(call: &Call, request: VersionProductRequest) -> Result<Product> {
    let known: Product = call.get(&request.product_id).await?;
    let is_frozen = is_frozen(call, &known).await?;
    let freeze = |product: &mut Product| {
        if product.version != known.version {
            return Err(Error::new(Common::Contention, "the product is being changed by others; try again"));
        }
        product.product_version += i32::from(!is_frozen);
        Ok(())
    };
    call.apply_change(&known.id, Product::clone, freeze).await
}
