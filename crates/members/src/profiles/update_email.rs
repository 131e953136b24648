//! Replaces an e-mail address.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::items::replace_item;
use crate::contract::v1::{Profile, UpdateEmailRequest};

impl Edit<UpdateEmailRequest> for Profile {
    fn edit(&mut self, request: &UpdateEmailRequest, _context: &EditContext) -> Result<()> {
        replace_item(&mut self.emails, "email_id", &request.email_id, request.email.as_ref())
    }
}
