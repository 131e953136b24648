//! Replaces an account identifier.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::items::replace_item;
use crate::contract::v1::{Profile, UpdateAccountIdentifierRequest};

impl Edit<UpdateAccountIdentifierRequest> for Profile {
    fn edit(&mut self, request: &UpdateAccountIdentifierRequest, _context: &EditContext) -> Result<()> {
        replace_item(
            &mut self.account_identifiers,
            "account_identifier_id",
            &request.account_identifier_id,
            request.account_identifier.as_ref(),
        )
    }
}
