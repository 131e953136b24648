//! Adds the documents of states and provinces to a contract.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::documents::check_variants;
use crate::contract::v1::{AddStateVariantsRequest, Product};

impl CheckRequest<AddStateVariantsRequest> for Product {
    async fn check_request(call: &Call, product: Option<&Self>, request: &AddStateVariantsRequest) -> Result<()> {
        check_variants(call, product, &request.state_variants).await
    }
}
