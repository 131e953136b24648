//! Replaces a description of a family for customers.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::text::replace_text;
use crate::contract::v1::{Family, UpdateFamilyDescriptionRequest};

impl Edit<UpdateFamilyDescriptionRequest> for Family {
    fn edit(&mut self, request: &UpdateFamilyDescriptionRequest, _context: &EditContext) -> Result<()> {
        replace_text(
            &mut self.descriptions,
            ("description_id", &request.description_id),
            request.locale(),
            &request.text,
        )
    }
}
