//! Replaces the content of a product.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{Product, UpdateProductRequest};

pub(super) async fn update(call: &Call, request: UpdateProductRequest) -> Result<Product> {
    let draft = request.product.unwrap_or_default();
    call.change::<Product>(&request.product_id, |product| {
        product.redraft(draft.clone());
        product.check_below("product.")
    })
    .await
}
