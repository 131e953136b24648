//! The workers of fulfillment.

mod change_plans;
mod end_coverages;
mod end_on_last_day;
mod follow_payments;
mod leave_groups;
mod move_to_owner;
mod provision_products;
mod send_invitations;
mod support;

use std::sync::Arc;

use pavise_kernel::worker::Worker;

pub(crate) use move_to_owner::{MoveCoveragesToOwner, MoveProvisionsToOwner};

/// The workers of this domain.
pub(crate) fn list_workers() -> Vec<Arc<dyn Worker>> {
    vec![
        Arc::new(provision_products::ProvisionProducts),
        Arc::new(change_plans::ChangePlans),
        Arc::new(end_coverages::EndCoverages),
        Arc::new(end_on_last_day::EndOnLastDay),
        Arc::new(follow_payments::FollowPayments),
        Arc::new(leave_groups::LeaveGroups),
        Arc::new(send_invitations::SendInvitations),
    ]
}
