//! Replaces a telephone number.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::items::replace_item;
use crate::contract::v1::{Profile, UpdatePhoneNumberRequest};

impl Edit<UpdatePhoneNumberRequest> for Profile {
    fn edit(&mut self, request: &UpdatePhoneNumberRequest, _context: &EditContext) -> Result<()> {
        replace_item(
            &mut self.phone_numbers,
            "phone_number_id",
            &request.phone_number_id,
            request.phone_number.as_ref(),
        )
    }
}
