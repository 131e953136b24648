//! Tests of billing through its own calls and workers, on both engines, with killed processes and lost answers at every
//! possible place.

#![expect(clippy::unwrap_used, reason = "tests")]

mod admission;
mod claims;
mod declines;
mod disturbed;
mod dunning;
mod endings;
mod export_files;
mod exports;
mod invoices;
mod lists;
mod methods;
mod peers;
mod refunds;
mod renewals;
mod scene;
mod stripe;
mod stripe_events;
mod stripe_proof;
mod stripe_reconciled;
mod stripe_scene;
mod subscriptions;
mod successors;
mod teardown;
mod vendors;
