//! Tests of the facade without a socket, before a made-up domain with the answers that a test sets.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod answers;
mod bodies;
mod bytes;
mod contract;
mod front;
mod headers;
mod multipart;
mod paths;
mod queries;
mod rubbish;
mod scene;
mod streams;
