//! The platform in a test: all domains on a fresh database, callers of every realm, and a teardown that replays every
//! journal.

mod app;
pub mod bare;
mod client;

pub use app::{Engine, TestApp, TestAppBuilder};
pub use client::{Answer, Rest};
