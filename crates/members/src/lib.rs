//! Members: who people are, how to reach them, who belongs to them, and what staff note about them.

mod amendments;
mod auto_comments;
mod businesses;
mod demo;
mod notes;
mod personal_data;
mod profiles;
mod relations;
mod shared;
mod workers;

use std::sync::Arc;

use pavise_kernel::domain::{DomainContract, Settings};
use pavise_kernel::worker::{Work, Worker};
use pavise_kernel::{Domain, MoveToOwner, Result, async_trait};

/// The contract of this domain as Rust.
#[allow(
    missing_docs,
    unused_imports,
    unused_variables,
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "generated: which of these apply depends on what the contract declares"
)]
pub mod contract {
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
}

/// The domain.
pub const DOMAIN: &dyn Domain = &Members;

#[derive(Debug)]
struct Members;

#[async_trait]
impl Domain for Members {
    fn declared(&self) -> &'static DomainContract {
        &contract::DECLARED
    }

    fn workers(&self, _: &Settings) -> Result<Vec<Arc<dyn Worker>>> {
        Ok(workers::list_workers())
    }

    fn moves_to_owner(&self) -> Vec<Arc<dyn MoveToOwner>> {
        vec![Arc::new(workers::JoinProfiles), Arc::new(workers::MergeMembers)]
    }

    async fn demo(&self, work: &Work, _: &Settings) -> Result<()> {
        demo::load_members(work).await
    }
}
