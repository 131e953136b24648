//! Ends a group on a day.

use pavise_kernel::time::{is_real, to_days};
use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{CancelGroupRequest, Group, MembersAfterCancel};

impl Edit<CancelGroupRequest> for Group {
    fn edit(&mut self, request: &CancelGroupRequest, context: &EditContext) -> Result<()> {
        let day = request.cancelled_on.unwrap_or_else(|| context.today());
        if !is_real(day) || to_days(day) < to_days(context.today()) {
            return Err(Error::field("cancelled_on", "is no day from today on"));
        }
        self.cancelled_on = Some(day);
        if self.members_after_cancel() == MembersAfterCancel::Unspecified {
            self.set_members_after_cancel(MembersAfterCancel::End);
        }
        Ok(())
    }
}
