//! Billing: what members pay with, what they owe, what they are billed for again and again.
//!
//! Three services of the specification: `payment_methods` keeps payment methods and asks the payment vendors, `invoices`
//! keeps what is owed and paid, `subscriptions` what recurs. A fourth, `test_vendor`, stands where a real vendor would.
//!
//! A payment has an effect outside, so it takes three steps: it is recorded, the vendor is asked, the outcome is
//! recorded. Killed between any two, the vendor is asked by our reference what became of it before anything else, by
//! whoever repeats the call or by the workers `billing.resolve`, `billing.settle` and `billing.post`. Nothing is charged
//! twice. The tokens that make the test vendor approve, decline or be silent are listed at `PaymentMethodService`.

mod config;
mod invoices;
mod money;
mod payment_methods;
mod retry;
mod subscriptions;
mod test_vendor;
mod transactions;
mod vendor;
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

use pavise_kernel::worker::Worker;
use pavise_kernel::{Domain, Kernel};

pub use config::Config;

/// The domain on a kernel.
#[must_use]
pub fn domain(kernel: &Kernel, config: &Config) -> Domain {
    kernel.provide(vendor::Vendors::new(config));
    let workers: Vec<Arc<dyn Worker>> = vec![
        Arc::new(workers::Resolve),
        Arc::new(workers::Settle),
        Arc::new(workers::Post),
        Arc::new(workers::CaughtUp),
        Arc::new(workers::CatchingUp),
        Arc::new(workers::Endings),
    ];
    Domain { name: "billing", services: contract::services(kernel), workers, hand_overs: Vec::new() }
}
