//! The workers of fulfillment.

mod endings;
mod hand_over;
mod invitations;
mod last_days;
mod plan_changes;
mod provision;
mod support;

pub(crate) use endings::EndingWorker;
pub(crate) use hand_over::{HandOverCoverages, HandOverProvisions};
pub(crate) use invitations::InvitationWorker;
pub(crate) use last_days::LastDayWorker;
pub(crate) use plan_changes::PlanChangeWorker;
pub(crate) use provision::ProvisionWorker;
