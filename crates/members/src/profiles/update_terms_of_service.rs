//! Records which terms of service the person accepted.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::consents::record_consent;
use crate::contract::v1::{Profile, UpdateTermsOfServiceRequest};

impl Edit<UpdateTermsOfServiceRequest> for Profile {
    fn edit(&mut self, request: &UpdateTermsOfServiceRequest, context: &EditContext) -> Result<()> {
        self.terms_of_service = record_consent(context, request.given, &request.source, &request.wording_version);
        Ok(())
    }
}
