//! Tests of billing through its own calls and workers, on both engines, with killed processes and lost answers at every
//! possible place.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod admission;
mod billing_days;
mod changes;
mod claims;
mod credits;
mod declines;
mod disturbed;
mod dunning;
mod endings;
mod export_files;
mod exports;
mod holds;
mod invoices;
mod lists;
mod methods;
mod papers;
mod payers;
mod peers;
mod random_years;
mod refunded_plans;
mod refunds;
mod renewals;
mod repricings;
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
