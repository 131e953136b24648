//! The platform in a test: all domains on a fresh database, callers of every realm, and a teardown that replays every
//! journal.

mod app;
pub mod bare;
mod catalog;
mod client;
mod mailbox;
mod platform;
mod transitions;

pub use app::{Database, TWILIO_TOKEN, TestApp, TestAppBuilder};
pub use catalog::{stock, store_document};
pub use client::{Answer, Rest};
pub use mailbox::Mailbox;
pub use pavise_testkit::scene::Engine;
pub use platform::{Cut, Platform};
