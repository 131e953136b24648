//! Fulfillment: bought offers become identities, a subscription and entitlements.

mod entitlements;
mod provision;
mod workers;

use std::sync::Arc;

use pavise_kernel::{Domain, Kernel};

/// The contract of this domain as Rust.
#[allow(
    missing_docs,
    unused_imports,
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "generated: which of these apply depends on what the contract declares"
)]
pub mod contract {
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
}

/// The domain with its services and workers, ready to serve.
pub fn domain(kernel: &Kernel) -> Domain {
    Domain {
        name: "fulfillment",
        services: contract::services(kernel),
        workers: vec![
            Arc::new(workers::ProvisionWorker),
            Arc::new(workers::PlanChangeWorker),
            Arc::new(workers::EndingWorker),
            Arc::new(workers::InvitationWorker),
        ],
        hand_overs: vec![Arc::new(workers::HandOverProvisions), Arc::new(workers::HandOverCoverages)],
    }
}
