//! Records whether the person agrees to marketing.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::consents::record_consent;
use crate::contract::v1::{Profile, UpdateMarketingOptInRequest};

impl Edit<UpdateMarketingOptInRequest> for Profile {
    fn edit(&mut self, request: &UpdateMarketingOptInRequest, context: &EditContext) -> Result<()> {
        self.marketing_opt_in = record_consent(context, request.given, &request.source, &request.wording_version);
        Ok(())
    }
}
