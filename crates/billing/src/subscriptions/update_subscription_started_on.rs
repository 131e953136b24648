//! Corrects the first day of a subscription.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::days::{check_order, require_day};
use crate::contract::v1::{Subscription, UpdateSubscriptionStartedOnRequest};

impl Edit<UpdateSubscriptionStartedOnRequest> for Subscription {
    fn edit(&mut self, request: &UpdateSubscriptionStartedOnRequest, _context: &EditContext) -> Result<()> {
        self.started_on = Some(require_day("started_on", request.started_on)?);
        check_order(self, "started_on")
    }
}
