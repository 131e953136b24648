//! The catalog: products, offers, prices and the places in which they are sold.
//!
//! `products` keeps the products, `offers` bundles them per brand. [`selection`] checks and prices the choice of a buyer;
//! orders rely on it.

pub mod choice;
pub mod demo;
pub mod family;
pub mod name;
pub mod offers;
pub mod place;
pub mod price;
pub mod products;
#[cfg(test)]
mod sample;
pub mod selection;
mod violations;

use pavise_kernel::{Domain, Kernel};

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

/// The domain on a kernel.
#[must_use]
pub fn domain(kernel: &Kernel) -> Domain {
    Domain { name: "catalog", services: contract::services(kernel), workers: Vec::new(), hand_overs: Vec::new() }
}
