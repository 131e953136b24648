//! Documents: questionnaires, their answers, the forms that are printed of them, and files.

mod answers;
mod config;
pub mod demo;
mod files;
mod form_templates;
mod forms;
mod questions;
mod shared;
mod workers;

use std::sync::Arc;

use pavise_kernel::domain::{DomainContract, Settings};
use pavise_kernel::worker::{Work, Worker};
use pavise_kernel::{Domain, Kernel, Result, async_trait};

/// The contract of this domain as Rust.
#[allow(
    missing_docs,
    unused_imports,
    unused_parens,
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

pub use config::Config;
pub use shared::bench::count_answered;

/// The domain.
pub const DOMAIN: &dyn Domain = &DocumentsDomain;

#[derive(Debug)]
struct DocumentsDomain;

#[async_trait]
impl Domain for DocumentsDomain {
    fn declared(&self) -> &'static DomainContract {
        &contract::DECLARED
    }

    fn provide(&self, kernel: &Kernel, settings: &Settings) -> Result<()> {
        let config: Config = settings.get().unwrap_or_default();
        kernel.provide(shared::tools::DocumentTools::from(&config));
        Ok(())
    }

    fn workers(&self, _: &Settings) -> Result<Vec<Arc<dyn Worker>>> {
        Ok(workers::list_workers())
    }

    async fn demo(&self, work: &Work, _: &Settings) -> Result<()> {
        demo::load_documents(work).await
    }
}
