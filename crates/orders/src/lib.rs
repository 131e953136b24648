//! Orders: what somebody wants to buy, what it costs with tax, whether it is paid and set up.
//!
//! Prices come from the catalogue, taxes from the areas kept here; no call takes either. A purchase only marks the order:
//! three workers have it paid, hand it to fulfilment and record what was set up, each safe to stop and run again.

mod amount;
mod orders;
mod place;
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

use pavise_kernel::worker::Work;
use pavise_kernel::{Aggregate as _, Domain, Kernel, Result};

use crate::contract::v1::tax_service_client::TaxServiceClient;
use crate::contract::v1::{SeedTaxAreaRequest, TaxArea};
use crate::tax::sample;

/// The domain, ready to serve.
#[must_use]
pub fn domain(kernel: &Kernel) -> Domain {
    Domain {
        name: "orders",
        services: contract::services(kernel),
        workers: workers::all(),
        hand_overs: vec![Arc::new(workers::HandOverOrders)],
    }
}

/// Makes the tax areas that are missing, with the shipped sample rates. To be called when the domain is served and the
/// kernel's peers are installed; does nothing when every area is there.
///
/// # Errors
/// When the database or the domain's own service does not answer.
pub async fn bootstrap(kernel: &Kernel) -> Result<()> {
    let ids: Vec<String> = sample::regions().map(sample::id).collect();
    let known = kernel.store().get_many(TaxArea::TABLE, &ids).await?;
    let work = Work::new(kernel, "orders.bootstrap", "tax areas".to_owned(), "");
    for region in sample::regions() {
        let id = sample::id(region);
        if known.iter().any(|row| row.id == id) {
            continue;
        }
        let request = work.request(SeedTaxAreaRequest { locality: region.into() }, &id);
        TaxServiceClient::new(work.peer("orders")).seed_tax_area(request).await?;
    }
    Ok(())
}
