//! Who sees which product.

use pavise_kernel::{Aggregate as _, Call, Error, Page, Result};

use crate::caller::is_staff;
use crate::contract::v1::{GetProductRequest, ListProductsRequest, ListProductsResponse, Product, ProductStatus};
use crate::place::{self, Sold};
use pavise_kernel::common::v1::RegionCode;

/// Who is not staff finds only active products.
pub(super) async fn get(call: &Call, request: GetProductRequest) -> Result<Product> {
    let product: Product = call.get(&request.product_id).await?;
    if !is_staff(call) && product.status() != ProductStatus::Active {
        return Err(Error::not_found(Product::TABLE.noun, &request.product_id));
    }
    Ok(product)
}

/// The place narrows a page after it was read, so that a page can be shorter than asked for.
pub(super) async fn list(call: &Call, request: ListProductsRequest) -> Result<ListProductsResponse> {
    let status = match (is_staff(call), request.status()) {
        (true, wanted) | (false, wanted @ ProductStatus::Active) => wanted,
        (false, ProductStatus::Unspecified) => ProductStatus::Active,
        (false, _) => return Ok(ListProductsResponse::default()),
    };
    let filters = vec![
        ("status", status.spelling().to_owned()),
        ("family", request.family().spelling().to_owned()),
        ("product_group", request.product_group.clone()),
    ];
    let page = Page { size: request.page_size, token: &request.page_token, filters };
    let (mut products, next_page_token) = call.page::<Product>(page).await?;
    let region = request.locality();
    products.retain(|product| region == RegionCode::Unspecified || place::product_in(product, region) == Sold::Here);
    Ok(ListProductsResponse { products, next_page_token })
}
