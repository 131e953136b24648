//! Messaging: what people are told, and what they have to look at.
//!
//! `alerts` keeps alerts and their templates.

mod alerts;
pub mod demo;
mod shared;
mod workers;

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

use std::sync::Arc;

use pavise_kernel::domain::{DomainContract, Settings};
use pavise_kernel::worker::{Work, Worker};
use pavise_kernel::{Domain, Result, async_trait};

/// The domain.
pub const DOMAIN: &dyn Domain = &MessagingDomain;

#[derive(Debug)]
struct MessagingDomain;

#[async_trait]
impl Domain for MessagingDomain {
    fn declared(&self) -> &'static DomainContract {
        &contract::DECLARED
    }

    fn workers(&self, _: &Settings) -> Result<Vec<Arc<dyn Worker>>> {
        Ok(workers::list_workers())
    }

    async fn demo(&self, work: &Work, _: &Settings) -> Result<()> {
        demo::load_messages(work).await
    }
}
