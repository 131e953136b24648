//! The workers of fulfillment.

mod change_plans;
mod end_coverages;
mod end_on_last_day;
mod hand_over;
mod provision_products;
mod send_invitations;
mod support;

use std::sync::Arc;

use pavise_kernel::worker::Worker;

pub(crate) use hand_over::{HandOverCoverages, HandOverProvisions};

/// The workers of this domain.
pub(crate) fn list_workers() -> Vec<Arc<dyn Worker>> {
    vec![
        Arc::new(provision_products::ProvisionProducts),
        Arc::new(change_plans::ChangePlans),
        Arc::new(end_coverages::EndCoverages),
        Arc::new(end_on_last_day::EndOnLastDay),
        Arc::new(send_invitations::SendInvitations),
    ]
}
