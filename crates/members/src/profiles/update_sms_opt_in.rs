//! Records whether the person agrees to text messages.

use pavise_kernel::{Edit, EditContext, Error, Result};

use super::support::consents::record_consent;
use crate::contract::v1::{ErrorReason, Profile, UpdateSmsOptInRequest};

impl Edit<UpdateSmsOptInRequest> for Profile {
    fn edit(&mut self, request: &UpdateSmsOptInRequest, context: &EditContext) -> Result<()> {
        if request.given && !self.has_cell() {
            return Err(Error::new(ErrorReason::CellNumberMissing, "add the number of a cell phone first"));
        }
        self.sms_opt_in = record_consent(context, request.given, &request.source, &request.wording_version);
        Ok(())
    }
}
