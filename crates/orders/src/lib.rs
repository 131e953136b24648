//! Orders: what somebody wants to buy, what it costs with tax, whether it is paid and set up.

/// The contract of this domain as Rust.
#[expect(missing_docs, clippy::all, clippy::pedantic, reason = "generated from the protos")]
pub mod contract {
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
}
