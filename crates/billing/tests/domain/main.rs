//! Billing through its own calls and workers, on both engines, with processes that are killed and answers that get lost
//! at every place where they can.

#![expect(clippy::unwrap_used, reason = "tests")]

mod claims;
mod disturbed;
mod endings;
mod invoices;
mod methods;
mod refunds;
mod scene;
mod subscriptions;
mod vendors;

/// The test cluster, taken from its file: these tests do not wait for the whole platform to compile.
#[path = "../../../testkit/src/postgres.rs"]
#[expect(dead_code, unreachable_pub, reason = "these tests need a part of it")]
mod postgres;
