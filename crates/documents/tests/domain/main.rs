//! Tests of the documents domain through its own calls and workers.

#![expect(clippy::unwrap_used, reason = "tests")]

mod answers;
mod erasure;
mod file_links;
mod files;
mod forms;
mod letters;
mod peers;
mod printing;
mod questions;
mod s3_links;
mod scene;
mod visitors;
