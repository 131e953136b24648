//! Freezes the content of a product as its next version.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Product, VersionProductRequest};

impl Edit<VersionProductRequest> for Product {
    fn edit(&mut self, _request: &VersionProductRequest, _context: &EditContext) -> Result<()> {
        self.product_version += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::sample::sample_product;

    #[test]
    fn versions_count_from_one() {
        let mut product = sample_product("legal", Vec::new());
        for number in 1..4 {
            product.edit(&VersionProductRequest::default(), &EditContext::at(0)).unwrap();
            assert_eq!(product.product_version, number);
        }
    }
}
