//! The service `launches`: businesses that members found with a plan.

mod activate_launch;
mod change_launch_business;
mod change_launch_entitlement;
mod create_launch;
mod support;
