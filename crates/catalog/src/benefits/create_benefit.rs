//! Makes a benefit.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Benefit, CreateBenefitRequest};

impl Edit<CreateBenefitRequest> for Benefit {
    fn edit(&mut self, request: &CreateBenefitRequest, _context: &EditContext) -> Result<()> {
        self.replace_content(request.benefit.clone().unwrap_or_default());
        self.check_below("benefit.")
    }
}
