//! Replaces contracts of a product.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::documents::check_contracts;
use crate::contract::v1::{Product, UpdateContractsRequest};

impl CheckRequest<UpdateContractsRequest> for Product {
    async fn check_request(call: &Call, product: Option<&Self>, request: &UpdateContractsRequest) -> Result<()> {
        check_contracts(call, product, "contracts", &request.contracts).await
    }
}
