//! Makes an area with the sample rates, if it does not exist.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::sample;
use crate::contract::v1::{SeedTaxAreaRequest, TaxArea};

impl Edit<SeedTaxAreaRequest> for TaxArea {
    fn edit(&mut self, request: &SeedTaxAreaRequest, _context: &EditContext) -> Result<()> {
        *self = sample::build_area(request.locality());
        Ok(())
    }
}
