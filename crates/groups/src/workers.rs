//! The workers of the domain.

mod activate_launches;
mod complete_enrollments;
mod end_late_plans;
mod end_plans;
mod grant_roles;
mod order_plans;

use std::sync::Arc;

use pavise_kernel::worker::Worker;

/// All workers.
pub(crate) fn list_workers() -> Vec<Arc<dyn Worker>> {
    vec![
        Arc::new(grant_roles::GrantRoles),
        Arc::new(end_plans::EndPlans),
        Arc::new(end_late_plans::EndLatePlans),
        Arc::new(activate_launches::ActivateLaunches),
        Arc::new(activate_launches::ActivatePaidLaunches),
        Arc::new(order_plans::OrderPlans),
        Arc::new(complete_enrollments::CompleteEnrollments),
    ]
}
