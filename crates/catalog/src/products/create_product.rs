//! Makes a product.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{CreateProductRequest, Product};

impl Edit<CreateProductRequest> for Product {
    fn edit(&mut self, request: &CreateProductRequest, _context: &EditContext) -> Result<()> {
        self.replace_content(request.product.clone().unwrap_or_default());
        self.check_below("product.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::ProductDraft;

    fn request(required: &str) -> CreateProductRequest {
        let draft = ProductDraft {
            name: "legal".to_owned(),
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
