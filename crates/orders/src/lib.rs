//! Orders: the choice of a buyer, its prices and taxes, its payment and what is set up for it.
//!
//! Prices come from the catalog and taxes from the areas kept here; no caller sends either. A purchase only marks the
//! order. Three workers take the payment, hand the order to fulfillment and record the result. A fourth one takes a cancelled
//! order back.

mod benefit_cohorts;
mod cohorts;
mod config;
mod eligibility;
mod order_notes;
mod orders;
mod orders_ties;
mod shared;
mod tax;
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
use pavise_kernel::{Aggregate as _, Domain, Kernel, MoveToOwner, Result, async_trait};

use crate::contract::v1::tax_service_client::TaxServiceClient;
use crate::contract::v1::{SeedTaxAreaRequest, TaxArea};
use crate::tax::support::sample;

pub use config::{Config, CoolingOff};

/// The domain.
pub const DOMAIN: &dyn Domain = &Orders;

#[derive(Debug)]
struct Orders;

#[async_trait]
impl Domain for Orders {
    fn declared(&self) -> &'static DomainContract {
        &contract::DECLARED
    }

    fn provide(&self, kernel: &Kernel, settings: &Settings) -> Result<()> {
        kernel.provide(settings.get::<Config>().unwrap_or_default());
        kernel.provide(pavise_ties::ties());
        Ok(())
    }

    fn workers(&self, _: &Settings) -> Result<Vec<Arc<dyn Worker>>> {
        Ok(workers::list_workers())
    }

    fn moves_to_owner(&self) -> Vec<Arc<dyn MoveToOwner>> {
        vec![Arc::new(workers::MoveOrdersToOwner)]
    }

    async fn bootstrap(&self, kernel: &Kernel, _: &Settings) -> Result<()> {
        seed_tax_areas(kernel).await
    }
}

/// Makes the tax areas that are missing, with the shipped sample rates. Does nothing when every area is there.
async fn seed_tax_areas(kernel: &Kernel) -> Result<()> {
    let ids: Vec<String> = sample::list_regions().map(sample::area_id).collect();
    let known = kernel.store().get_many(TaxArea::TABLE, &ids).await?;
    let work = Work::new(kernel, "orders.bootstrap", "tax areas".to_owned(), "");
    for region in sample::list_regions() {
        let id = sample::area_id(region);
        if known.iter().any(|row| row.id == id) {
            continue;
        }
        let request = work.new_request(SeedTaxAreaRequest { locality: region.into() }, &id);
        TaxServiceClient::new(work.peer_channel("orders")).seed_tax_area(request).await?;
    }
    Ok(())
}
