//! The products and benefits that eligibility reads from the catalog.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures::future::try_join_all;
use pavise_kernel::{Call, Error, Result};
use tonic::{Code, Request};

use crate::contract::catalog::benefit_service_client::BenefitServiceClient;
use crate::contract::catalog::product_service_client::ProductServiceClient;
use crate::contract::catalog::{
    Benefit, GetBenefitsByIdListRequest, GetProductRequest, GetProductVersionRequest, Product, ProductVersion,
};

/// The most ids of one request for benefits.
const MOST_IDS: usize = 500;

/// A product as somebody has it.
#[derive(Debug, Clone)]
pub(crate) struct PlanProduct {
    pub(crate) product: Product,
    /// The benefits as they were frozen with it; none for a product without a frozen version.
    pub(crate) benefits: Vec<Benefit>,
}

/// Loads products by id and version, at once. One that does not exist is left out.
///
/// # Errors
/// When the catalog does not answer.
pub(crate) async fn load_products(
    call: &Call,
    wanted: BTreeSet<(String, i32)>,
) -> Result<BTreeMap<(String, i32), PlanProduct>> {
    let loading = wanted.into_iter().map(async |(id, version)| {
        let known = if version > 0 { load_version(call, &id, version).await? } else { load_current(call, &id).await? };
        Ok::<_, Error>(known.map(|known| ((id, version), known)))
    });
    Ok(try_join_all(loading).await?.into_iter().flatten().collect())
}

/// Loads a product as it is now; none if it does not exist.
///
/// # Errors
/// When the catalog does not answer.
pub(crate) async fn load_current(call: &Call, id: &str) -> Result<Option<PlanProduct>> {
    let mut products = ProductServiceClient::new(call.peer_channel("catalog"));
    let request = GetProductRequest { product_id: id.to_owned() };
    let found = products.get_product(Request::new(request)).await;
    let product = found_or_none(found)?;
    Ok(product.map(|product| PlanProduct { product, benefits: Vec::new() }))
}

async fn load_version(call: &Call, id: &str, version: i32) -> Result<Option<PlanProduct>> {
    let mut products = ProductServiceClient::new(call.peer_channel("catalog"));
    let request = GetProductVersionRequest { product_id: id.to_owned(), version };
    let frozen: Option<ProductVersion> = found_or_none(products.get_product_version(Request::new(request)).await)?;
    let built = frozen.and_then(|frozen| Some(PlanProduct { product: frozen.product?, benefits: frozen.benefits }));
    Ok(built)
}

fn found_or_none<T>(answer: std::result::Result<tonic::Response<T>, tonic::Status>) -> Result<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer.into_inner())),
        Err(status) if status.code() == Code::NotFound => Ok(None),
        Err(status) => Err(status.into()),
    }
}

/// Loads benefits as they are now, by id. One that does not exist is left out.
///
/// # Errors
/// When the catalog does not answer.
pub(crate) async fn load_benefits(call: &Call, ids: BTreeSet<String>) -> Result<HashMap<String, Benefit>> {
    let ids: Vec<String> = ids.into_iter().filter(|id| !id.is_empty()).collect();
    let loading = ids.chunks(MOST_IDS).map(async |part| {
        let mut benefits = BenefitServiceClient::new(call.peer_channel("catalog"));
        let request = GetBenefitsByIdListRequest { ids: part.to_vec() };
        Ok::<_, Error>(benefits.get_benefits_by_id_list(Request::new(request)).await?.into_inner().benefits)
    });
    let found = try_join_all(loading).await?;
    Ok(found.into_iter().flatten().map(|benefit| (benefit.id.clone(), benefit)).collect())
}
