//! Replaces the content of a product.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::benefits::check_benefits;
use super::support::family::check_family;
use crate::contract::v1::{Product, UpdateProductRequest};

impl CheckRequest<UpdateProductRequest> for Product {
    async fn check_request(call: &Call, _product: Option<&Self>, request: &UpdateProductRequest) -> Result<()> {
        let Some(draft) = &request.product else { return Ok(()) };
        check_family(call, "product.product_family_id", &draft.product_family_id, draft.family()).await?;
        check_benefits(call, "product.benefits", &draft.benefits).await
    }
}

impl Edit<UpdateProductRequest> for Product {
    fn edit(&mut self, request: &UpdateProductRequest, _context: &EditContext) -> Result<()> {
        self.replace_content(request.product.clone().unwrap_or_default());
        self.check_below("product.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{ProductDraft, ProductStatus};
    use crate::shared::sample::{sample_product, sample_tier};

    #[test]
    fn only_the_content_is_replaced() {
        let mut product = sample_product("legal", vec![sample_tier("family", 1)]);
        let draft = ProductDraft { name: "new".to_owned(), ..ProductDraft::default() };
        let request = UpdateProductRequest { product: Some(draft), ..UpdateProductRequest::default() };
        product.edit(&request, &EditContext::at(0)).unwrap();
        assert_eq!((product.id.as_str(), product.status()), ("legal", ProductStatus::Active));
        assert_eq!((product.name.as_str(), product.tiers.len()), ("new", 0), "the draft has no tiers");
    }
}
