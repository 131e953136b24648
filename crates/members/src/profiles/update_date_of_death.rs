//! Sets the date of death, which ends consents.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::consents::end_consent;
use crate::contract::v1::{Profile, UpdateDateOfDeathRequest};

/// The source of a consent that ended so.
const SOURCE: &str = "date of death";

impl Edit<UpdateDateOfDeathRequest> for Profile {
    fn edit(&mut self, _request: &UpdateDateOfDeathRequest, context: &EditContext) -> Result<()> {
        for consent in [&mut self.marketing_opt_in, &mut self.sms_opt_in, &mut self.tcpa] {
            end_consent(context, consent, SOURCE);
        }
        Ok(())
    }
}
