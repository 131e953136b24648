//! Makes a family.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{CreateProductFamilyRequest, Family};

impl Edit<CreateProductFamilyRequest> for Family {
    fn edit(&mut self, _request: &CreateProductFamilyRequest, context: &EditContext) -> Result<()> {
        for text in self.names.iter_mut().chain(&mut self.descriptions).filter(|text| text.id.is_empty()) {
            text.id = context.new_id();
        }
        Ok(())
    }
}
