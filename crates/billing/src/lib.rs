//! Billing: the payment methods, invoices and subscriptions of members.
//!
//! There are three services of the specification. `payment_methods` keeps payment methods and asks the payment vendors.
//! `invoices` keeps debts and payments. `subscriptions` keeps recurring bills. `credits` keeps what the next invoices are
//! lowered by. `invoice_exports` writes invoices into files. `hosted_entries`, `vendor_events` and `reconciliations` belong to a real vendor: cards are entered on its page, it
//! tells what happened later, and its movements of money are compared with ours. `test_vendor` takes the place of one.
//!
//! Bills come and are collected by themselves. `billing.renewals` raises the invoices of due periods,
//! `billing.collect_when_billed` charges them, and `billing.collect_invoices` goes on by their schedule.
//! `billing.review_subscriptions` lets the subscription follow them, and `billing.dun_subscriptions` warns and cancels. Each
//! call reads what is, so that a repeat finds it done.
//!
//! A change of a plan within a paid period is planned first: `subscriptions::support::change_plan` makes the invoice that the
//! preview shows and the change commits. It is paid before the subscription is another one; `billing.settle_changes` goes on
//! where a call was interrupted, and `billing.change_subscriptions` begins what waits for a day.
//!
//! A price in the catalog touches no running subscription. `repricings` gives a new one to many, with notice: it waits at each
//! subscription, and `subscriptions::support::next_bill` puts it in place for the bill, the preview and the balance alike.
//!
//! A payment has an effect outside, so it takes three steps: it is recorded, the vendor is asked, the outcome is
//! recorded. A process can be killed between any two steps. A repeat of the call, or one of the workers
//! `billing.resolve_transactions`, `billing.finish_payments` and `billing.post_payments`, then first asks the vendor for the outcome of our reference.
//! So nothing is charged twice. `PaymentMethodService` lists the tokens by which the test vendor approves, declines or is
//! silent.

mod config;
mod credits;
mod hosted_entries;
mod invoice_exports;
mod invoices;
mod payment_methods;
mod reconciliations;
mod repricings;
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

pub use config::{Config, Seller, StripeConfig};

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
        kernel.provide(shared::sellers::Sellers::new(config.sellers.clone()));
        kernel.provide(config);
        Ok(())
    }

    fn workers(&self, _: &Settings) -> Result<Vec<Arc<dyn Worker>>> {
        Ok(workers::list_workers())
    }
}
