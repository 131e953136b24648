//! Replaces the content of a product.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::benefits::check_benefits;
use super::support::documents::check_contracts;
use super::support::family::{check_family, check_kind};
use crate::contract::v1::{Product, UpdateProductRequest};

impl CheckRequest<UpdateProductRequest> for Product {
    async fn check_request(call: &Call, product: Option<&Self>, request: &UpdateProductRequest) -> Result<()> {
        let Some(draft) = &request.product else { return Ok(()) };
        let (field, id) = ("product.product_family_id", &draft.product_family_id);
        match product.filter(|product| product.product_family_id == *id) {
            Some(product) => check_kind(field, product.family(), draft.family())?,
            None => check_family(call, field, id, draft.family()).await?,
        }
        check_benefits(call, "product.benefits", &draft.benefits).await?;
        check_contracts(call, product, "product.contracts", &draft.contracts).await
    }
}

impl Edit<UpdateProductRequest> for Product {
    fn edit(&mut self, request: &UpdateProductRequest, _context: &EditContext) -> Result<()> {
        let (family_id, kind) = (self.product_family_id.clone(), self.family);
        self.replace_content(request.product.clone().unwrap_or_default());
        self.choose_family("product.product_family_id")?;
        if self.product_family_id == family_id {
            self.family = kind;
        }
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
        let draft =
            ProductDraft { name: "new".to_owned(), product_family_id: "own".to_owned(), ..ProductDraft::default() };
        let request = UpdateProductRequest { product: Some(draft), ..UpdateProductRequest::default() };
        product.edit(&request, &EditContext::at(0)).unwrap();
        assert_eq!((product.id.as_str(), product.status()), ("legal", ProductStatus::Active));
        assert_eq!((product.name.as_str(), product.tiers.len()), ("new", 0), "the draft has no tiers");
    }
}
