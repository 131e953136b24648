//! Replaces benefits of a product.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::benefits::check_benefits;
use crate::contract::v1::{Product, UpdateBenefitsRequest};

impl CheckRequest<UpdateBenefitsRequest> for Product {
    async fn check_request(call: &Call, _product: Option<&Self>, request: &UpdateBenefitsRequest) -> Result<()> {
        check_benefits(call, "benefits", &request.benefits).await
    }
}
