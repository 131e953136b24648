//! Puts a product into a family of its kind.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::family::check_family;
use crate::contract::v1::{Product, ProductFamily, UpdateProductFamilyRequest};

impl CheckRequest<UpdateProductFamilyRequest> for Product {
    async fn check_request(call: &Call, product: Option<&Self>, request: &UpdateProductFamilyRequest) -> Result<()> {
        let kind = product.map_or(ProductFamily::Unspecified, Self::family);
        check_family(call, "product_family_id", &request.product_family_id, kind).await
    }
}

impl Edit<UpdateProductFamilyRequest> for Product {
    /// The contract has set the family.
    fn edit(&mut self, _request: &UpdateProductFamilyRequest, _context: &EditContext) -> Result<()> {
        self.choose_family("product_family_id")
    }
}
