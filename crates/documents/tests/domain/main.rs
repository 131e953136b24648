//! Tests of the documents domain through its own calls and workers.

#![expect(clippy::unwrap_used, reason = "tests")]

mod answers;
mod peers;
mod questions;
mod scene;
mod visitors;
