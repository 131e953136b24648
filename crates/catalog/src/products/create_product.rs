//! Makes a product.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{CreateProductRequest, Product};

impl Edit<CreateProductRequest> for Product {
    fn edit(&mut self, request: &CreateProductRequest, _context: &EditContext) -> Result<()> {
        self.id.clone_from(&request.id);
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
        CreateProductRequest { id: "chosen".to_owned(), product: Some(draft) }
    }

    #[test]
    fn a_product_has_the_chosen_id_and_the_content_of_the_draft() {
        let mut product = Product::default();
        product.edit(&request("other"), &EditContext::at(0)).unwrap();
        assert_eq!((product.id.as_str(), product.name.as_str()), ("chosen", "legal"));
    }

    #[test]
    fn violations_name_their_place_in_the_request() {
        let refused = Product::default().edit(&request("chosen"), &EditContext::at(0)).unwrap_err();
        assert_eq!(refused.violations()[0].field, "product.required_product_ids[0]");
    }
}
