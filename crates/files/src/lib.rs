//! The stores of files behind the kernel's port: a local folder, or a bucket of S3.
//!
//! `object_store` writes and reads both. It is a crate of its own, so that nothing else waits for its compilation.

mod place;
mod store;

pub use place::{S3Keys, open, open_folder, open_s3};
