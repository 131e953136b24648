//! Tests of the messaging domain through its own calls and workers.

#![expect(clippy::unwrap_used, reason = "tests")]

mod alerts;
mod built_in;
mod notifications;
mod scene;
mod scheduled;
mod webhooks;
