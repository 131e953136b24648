//! Corrects the last paid day of a subscription.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::days::require_day;
use crate::contract::v1::{Subscription, UpdateSubscriptionPaidToDateRequest};

impl Edit<UpdateSubscriptionPaidToDateRequest> for Subscription {
    fn edit(&mut self, request: &UpdateSubscriptionPaidToDateRequest, _context: &EditContext) -> Result<()> {
        self.paid_to_date = Some(require_day("paid_to_date", request.paid_to_date)?);
        Ok(())
    }
}
