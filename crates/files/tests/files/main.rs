//! One suite for every store: a local folder, and a bucket of a real S3 server.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod local;
mod s3;
mod suite;
