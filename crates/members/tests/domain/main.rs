//! The served domain: its calls over gRPC and its workers, on a real database. Identity, orders, billing and fulfillment are
//! doubles.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod records;
