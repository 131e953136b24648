//! Records the subscription of a provision.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::recorded::record_once;
use crate::contract::v1::{AddSubscriptionRequest, Provision};

impl Edit<AddSubscriptionRequest> for Provision {
    fn edit(&mut self, request: &AddSubscriptionRequest, _context: &EditContext) -> Result<()> {
        record_once(
            &mut self.subscription_id,
            &request.subscription_id,
            "the provision has another subscription already",
        )
    }
}
