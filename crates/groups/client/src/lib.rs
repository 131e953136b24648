//! The domain `groups` as its peers see it: its messages, the clients of its services, its journals' feeds and actions.
#![allow(
    missing_docs,
    unused_imports,
    clippy::all,
    clippy::pedantic,
    reason = "generated: which of these apply depends on what the contract declares"
)]

include!(concat!(env!("OUT_DIR"), "/client.rs"));
