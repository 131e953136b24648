//! Adds benefits to a product.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::benefits::check_benefits;
use crate::contract::v1::{AddBenefitsRequest, Product};

impl CheckRequest<AddBenefitsRequest> for Product {
    async fn check_request(call: &Call, _product: Option<&Self>, request: &AddBenefitsRequest) -> Result<()> {
        check_benefits(call, "benefits", &request.benefits).await
    }
}
