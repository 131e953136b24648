//! The promises of docs/security.md for the whole platform: over REST and gRPC-web, in one process and in several.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod browser;
mod events;
mod forgery;
mod leaks;
mod logs;
mod nobodys;
mod page_tokens;
mod processes;
mod reads;
mod shedding;
