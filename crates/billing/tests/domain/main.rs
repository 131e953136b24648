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
