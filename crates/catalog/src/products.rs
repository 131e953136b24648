//! The calls of products that are more than their declaration.

mod create;
mod delete;
mod draft;
mod invariants;
mod read;
mod update;

pub(crate) use invariants::dates;

use pavise_kernel::{Call, Result};

use crate::contract::ProductHandler;
use crate::contract::v1::{
    CreateProductRequest, DeleteProductRequest, GetProductRequest, ListProductsRequest, ListProductsResponse, Product,
    UpdateProductRequest,
};

/// What the contract leaves to Rust of `products`.
#[derive(Debug, Clone, Copy)]
pub struct Products;

impl ProductHandler for Products {
    async fn create_product(&self, call: &Call, request: CreateProductRequest) -> Result<Product> {
        create::create(call, request).await
    }

    async fn get_product(&self, call: &Call, request: GetProductRequest) -> Result<Product> {
        read::get(call, request).await
    }

    async fn list_products(&self, call: &Call, request: ListProductsRequest) -> Result<ListProductsResponse> {
        read::list(call, request).await
    }

    async fn update_product(&self, call: &Call, request: UpdateProductRequest) -> Result<Product> {
        update::update(call, request).await
    }

    async fn delete_product(&self, call: &Call, request: DeleteProductRequest) -> Result<Product> {
        delete::delete(call, request).await
    }
}
