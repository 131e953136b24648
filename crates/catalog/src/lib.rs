//! The catalog: products, offers, prices and the places in which they are sold.
//!
//! `products` keeps the products, `product_families` groups them, `benefits` keeps what they promise, `offers` bundles
//! them per brand, `offer_maps` gives them the codes of the classic system, and `content` keeps the words of the sites.
//! `shared::selection` checks and prices the choice of a buyer; orders rely on it.

mod benefits;
mod content;
pub mod demo;
mod offer_maps;
mod offers;
mod product_families;
mod products;
mod reserved_names;
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
pub const DOMAIN: &dyn Domain = &Catalog;

#[derive(Debug)]
struct Catalog;

#[async_trait]
impl Domain for Catalog {
    fn declared(&self) -> &'static DomainContract {
        &contract::DECLARED
    }

    fn provide(&self, kernel: &Kernel, _: &Settings) -> Result<()> {
        kernel.provide(pavise_names::names());
        Ok(())
    }

    fn workers(&self, _: &Settings) -> Result<Vec<Arc<dyn Worker>>> {
        Ok(workers::list_workers())
    }

    async fn demo(&self, work: &Work, _: &Settings) -> Result<()> {
        demo::load::load_catalog(work).await
    }
}
