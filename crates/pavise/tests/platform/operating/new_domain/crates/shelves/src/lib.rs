//! Shelves: books and their readers. Everything is declared.

use pavise_kernel::Domain;
use pavise_kernel::domain::DomainContract;

/// The contract of this domain as Rust.
#[allow(missing_docs, unused_imports, clippy::all, clippy::pedantic, reason = "generated")]
pub mod contract {
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
}

/// The domain.
pub const DOMAIN: &dyn Domain = &Shelves;

#[derive(Debug)]
struct Shelves;

impl Domain for Shelves {
    fn declared(&self) -> &'static DomainContract {
        &contract::DECLARED
    }
}
