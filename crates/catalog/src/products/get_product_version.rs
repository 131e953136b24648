//! Answers a frozen version of a product.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{GetProductVersionRequest, ProductVersion};

pub(crate) async fn get_product_version(call: &Call, request: GetProductVersionRequest) -> Result<ProductVersion> {
    call.get(&ProductVersion::id_of(&request.product_id, request.version)).await
}
