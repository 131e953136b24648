//! The calls of products that are more than their declaration.

mod create;
mod delete;
mod draft;
mod invariants;
mod read;
mod update;

pub(crate) use invariants::dates;

use pavise_kernel::{Call, Result};

use crate::contract::v1::{
    CreateProductRequest, DeleteProductRequest, GetProductRequest, ListProductsRequest, ListProductsResponse, Product,
    UpdateProductRequest,
};

pub(crate) async fn create_product(call: &Call, request: CreateProductRequest) -> Result<Product> {
    create::create(call, request).await
}

pub(crate) async fn get_product(call: &Call, request: GetProductRequest) -> Result<Product> {
    read::get(call, request).await
}

pub(crate) async fn list_products(call: &Call, request: ListProductsRequest) -> Result<ListProductsResponse> {
    read::list(call, request).await
}

pub(crate) async fn update_product(call: &Call, request: UpdateProductRequest) -> Result<Product> {
    update::update(call, request).await
}

pub(crate) async fn delete_product(call: &Call, request: DeleteProductRequest) -> Result<Product> {
    delete::delete(call, request).await
}
