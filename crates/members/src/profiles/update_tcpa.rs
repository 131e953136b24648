//! Records whether the person agrees to calls and texts by machines.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::consents::record_consent;
use crate::contract::v1::{Profile, UpdateTcpaRequest};

impl Edit<UpdateTcpaRequest> for Profile {
    fn edit(&mut self, request: &UpdateTcpaRequest, context: &EditContext) -> Result<()> {
        self.tcpa = record_consent(context, request.given, &request.source, &request.wording_version);
        Ok(())
    }
}
