//! Makes a product.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{CreateProductRequest, Product};

pub(super) async fn create(call: &Call, request: CreateProductRequest) -> Result<Product> {
    let mut product = Product { id: request.id, ..Product::default() };
    product.redraft(request.product.unwrap_or_default());
    product.check_below("product.")?;
    call.create(product).await
}
