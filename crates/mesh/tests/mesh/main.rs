//! The mesh over loopback sockets.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "tests")]

mod deadlines;
mod draining;
mod malformed;
mod ports;
mod retries;
mod scene;
mod shedding;
mod tls;
mod tracing_spans;
mod unread;
