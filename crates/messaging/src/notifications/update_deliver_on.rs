//! Sends a scheduled notification at another time.

use pavise_kernel::time::to_micros;
use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{Notification, UpdateDeliverOnRequest};
use crate::shared::times::check_deliver_on;

impl Edit<UpdateDeliverOnRequest> for Notification {
    fn edit(&mut self, request: &UpdateDeliverOnRequest, context: &EditContext) -> Result<()> {
        let at = request.deliver_on.as_ref().ok_or_else(|| Error::missing_field("deliver_on"))?;
        let at_micros = check_deliver_on(context.now(), "", at)?;
        if self.expires_at.as_ref().is_some_and(|end| to_micros(end) <= at_micros) {
            return Err(Error::field("deliver_on", "must be before the notification is of no use any more"));
        }
        self.deliver_on = Some(*at);
        Ok(())
    }
}
