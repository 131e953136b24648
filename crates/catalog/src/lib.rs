//! The catalogue: what is sold, at which price, where, and by whom.

/// The contract of this domain as Rust.
#[expect(missing_docs, clippy::all, clippy::pedantic, reason = "generated from the protos")]
pub mod contract {
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
}
