//! Products as they were bought: a frozen version of the catalog and its content.

use pavise_kernel::{Call, Error, Result};
use tonic::Request;

use crate::contract::catalog::product_service_client::ProductServiceClient;
use crate::contract::catalog::{GetProductRequest, GetProductVersionRequest, Product};
use crate::shared::answer::found_or_none;

/// A product in the version that an entitlement gets.
#[derive(Debug, Default)]
pub(crate) struct BoughtProduct {
    /// The number of the version; 0 for a product without one.
    pub(crate) version: i32,
    /// The content of the version. `None` for a product that the catalog does not know any more.
    pub(crate) content: Option<Product>,
}

impl BoughtProduct {
    /// Loads the named version, or the newest one.
    ///
    /// # Errors
    /// `INVALID_FIELD` when the product has no version with that number.
    pub(crate) async fn load(call: &Call, product_id: &str, named: Option<i32>) -> Result<Self> {
        let now = load_product(call, product_id).await?;
        let newest = now.as_ref().map_or(0, |product| product.product_version);
        let version = named.unwrap_or(newest);
        match load_version(call, product_id, version).await? {
            Some(frozen) => Ok(Self { version, content: Some(frozen) }),
            None if version != 0 && now.is_some() => {
                Err(Error::field("product_version", format!("the product has no version {version}")))
            }
            None => Ok(Self { version, content: now }),
        }
    }
}

/// Loads the content of a product in a version that was bought. What was never frozen is as the catalog has it now.
pub(crate) async fn load_bought(call: &Call, product_id: &str, version: i32) -> Result<Option<Product>> {
    match load_version(call, product_id, version).await? {
        Some(frozen) => Ok(Some(frozen)),
        None => load_product(call, product_id).await,
    }
}

/// Loads a product as the catalog has it now.
pub(crate) async fn load_product(call: &Call, product_id: &str) -> Result<Option<Product>> {
    let ask = GetProductRequest { product_id: product_id.to_owned() };
    found_or_none(ProductServiceClient::new(call.peer_channel("catalog")).get_product(Request::new(ask)).await)
}

async fn load_version(call: &Call, product_id: &str, version: i32) -> Result<Option<Product>> {
    if version == 0 {
        return Ok(None);
    }
    let ask = GetProductVersionRequest { product_id: product_id.to_owned(), version };
    let answer = ProductServiceClient::new(call.peer_channel("catalog")).get_product_version(Request::new(ask)).await;
    Ok(found_or_none(answer)?.and_then(|frozen| frozen.product))
}
