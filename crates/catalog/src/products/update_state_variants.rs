//! Replaces the documents of states and provinces in a contract.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::documents::check_variants;
use crate::contract::v1::{Product, UpdateStateVariantsRequest};

impl CheckRequest<UpdateStateVariantsRequest> for Product {
    async fn check_request(call: &Call, product: Option<&Self>, request: &UpdateStateVariantsRequest) -> Result<()> {
        check_variants(call, product, &request.state_variants).await
    }
}
