//! Replaces a postal address.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::items::replace_item;
use crate::contract::v1::{Profile, UpdateAddressRequest};

impl Edit<UpdateAddressRequest> for Profile {
    fn edit(&mut self, request: &UpdateAddressRequest, _context: &EditContext) -> Result<()> {
        replace_item(&mut self.addresses, "address_id", &request.address_id, request.address.as_ref())
    }
}
