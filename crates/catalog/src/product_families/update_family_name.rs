//! Replaces a name of a family for customers.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::text::replace_text;
use crate::contract::v1::{Family, UpdateFamilyNameRequest};

impl Edit<UpdateFamilyNameRequest> for Family {
    fn edit(&mut self, request: &UpdateFamilyNameRequest, _context: &EditContext) -> Result<()> {
        replace_text(&mut self.names, ("name_id", &request.name_id), request.locale(), &request.text)
    }
}
