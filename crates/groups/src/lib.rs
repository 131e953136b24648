//! Employer groups: who they are, who acts for them, what is sold through them, and how their employees enroll and pay.

mod demo;
mod employees;
mod group_enrollments;
mod groups;
mod groups_ties;
mod launches;
mod shared;
mod workers;

use std::sync::Arc;

use pavise_kernel::domain::{DomainContract, Settings};
use pavise_kernel::worker::{Work, Worker};
use pavise_kernel::{Domain, Result, async_trait};

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
pub const DOMAIN: &dyn Domain = &Groups;

#[derive(Debug)]
struct Groups;

#[async_trait]
impl Domain for Groups {
    fn declared(&self) -> &'static DomainContract {
        &contract::DECLARED
    }

    fn workers(&self, _: &Settings) -> Result<Vec<Arc<dyn Worker>>> {
        Ok(workers::list_workers())
    }

    async fn demo(&self, work: &Work, _: &Settings) -> Result<()> {
        demo::load_groups(work).await
    }
}
