//! The served domain: its calls over gRPC and its workers, on real databases of both engines. Identity, orders, billing and
//! fulfillment are doubles.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod consents;
mod erasures;
mod filling;
mod leaving;
mod matching;
mod merges;
mod peers;
mod profiles;
mod records;
mod redaction;
mod relations;
mod scene;
mod search;
mod search_oracle;
mod unsubscribing;
