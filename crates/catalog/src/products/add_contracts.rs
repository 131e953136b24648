//! Adds contracts to a product.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::documents::check_contracts;
use crate::contract::v1::{AddContractsRequest, Product};

impl CheckRequest<AddContractsRequest> for Product {
    async fn check_request(call: &Call, product: Option<&Self>, request: &AddContractsRequest) -> Result<()> {
        check_contracts(call, product, "contracts", &request.contracts).await
    }
}
