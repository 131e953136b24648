//! Billing: the payment methods, invoices and subscriptions of members.
//!
//! There are three services of the specification. `payment_methods` keeps payment methods and asks the payment vendors.
//! `invoices` keeps debts and payments. `subscriptions` keeps recurring bills. `invoice_exports` writes invoices into
//! files. `hosted_entries`, `vendor_events` and `reconciliations` belong to a real vendor: cards are entered on its page, it
//! tells what happened later, and its movements of money are compared with ours. `test_vendor` takes the place of one.
//!
//! Bills come and are collected by themselves. `billing.renewals` raises the invoices of due periods,
//! `billing.collect_invoices` charges them by their schedule, `billing.review_subscriptions` lets the subscription follow
//! them, and `billing.dun_subscriptions` warns and cancels. Each call reads what is, so that a repeat finds it done.
//!
//! A payment has an effect outside, so it takes three steps: it is recorded, the vendor is asked, the outcome is
//! recorded. A process can be killed between any two steps. A repeat of the call, or one of the workers
//! `billing.resolve_transactions`, `billing.finish_payments` and `billing.post_payments`, then first asks the vendor for the outcome of our reference.
//! So nothing is charged twice. `PaymentMethodService` lists the tokens by which the test vendor approves, declines or is
//! silent.

mod config;
mod hosted_entries;
mod invoice_exports;
mod invoices;
mod payment_methods;
mod reconciliations;
mod shared;
mod subscriptions;
mod test_vendor;
mod vendor_events;
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
use pavise_kernel::worker::Worker;
use pavise_kernel::{Domain, Kernel, Result};

pub use config::{Config, StripeConfig};

/// The domain.
pub const DOMAIN: &dyn Domain = &Billing;

#[derive(Debug)]
struct Billing;

impl Domain for Billing {
    fn declared(&self) -> &'static DomainContract {
        &contract::DECLARED
    }

    fn provide(&self, kernel: &Kernel, settings: &Settings) -> Result<()> {
        kernel.provide(pavise_ties::ties());
        let config: Config = settings.get().unwrap_or_default();
        kernel.provide(shared::vendor::Vendors::new(&config)?);
        kernel.provide(config);
        Ok(())
    }

    fn workers(&self, _: &Settings) -> Result<Vec<Arc<dyn Worker>>> {
        Ok(workers::list_workers())
    }
}
