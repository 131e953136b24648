//! The served domain: its calls over gRPC, its worker driven by its own journal, on a real database. Identity, billing
//! and catalog are doubles that record their requests, and any call can be lost.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod access;
mod coverage;
mod endings;
mod entitlements;
mod invitations;
mod merges;
mod newcomers;
mod payments;
mod peers;
mod plan_change;
mod review;
mod sale;
mod scene;
