//! Makes a product.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::benefits::check_benefits;
use super::support::documents::check_contracts;
use super::support::family::check_family;
use crate::contract::v1::{CreateProductRequest, Product};

impl CheckRequest<CreateProductRequest> for Product {
    async fn check_request(call: &Call, _product: Option<&Self>, request: &CreateProductRequest) -> Result<()> {
        let Some(draft) = &request.product else { return Ok(()) };
        check_family(call, "product.product_family_id", &draft.product_family_id, draft.family()).await?;
        check_benefits(call, "product.benefits", &draft.benefits).await?;
        check_contracts(call, None, "product.contracts", &draft.contracts).await
    }
}

impl Edit<CreateProductRequest> for Product {
    fn edit(&mut self, request: &CreateProductRequest, _context: &EditContext) -> Result<()> {
        self.replace_content(request.product.clone().unwrap_or_default());
        self.choose_family("product.product_family_id")?;
        self.check_below("product.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{ProductDraft, ProductFamily};

    fn request(required: &str) -> CreateProductRequest {
        let draft = ProductDraft {
            name: "legal".to_owned(),
            family: ProductFamily::Legal.into(),
            required_product_ids: vec![required.to_owned()],
            ..ProductDraft::default()
        };
        CreateProductRequest { product: Some(draft), ..CreateProductRequest::default() }
    }

    #[test]
    fn a_product_has_the_content_of_the_draft() {
        let mut product = Product::default();
        product.edit(&request("other"), &EditContext::at(0)).unwrap();
        assert_eq!(product.name, "legal");
    }

    #[test]
    fn violations_name_their_place_in_the_request() {
        let mut product = Product { id: "chosen".to_owned(), ..Product::default() };
        let refused = product.edit(&request("chosen"), &EditContext::at(0)).unwrap_err();
        assert_eq!(refused.violations()[0].field, "product.required_product_ids[0]");
    }
}
