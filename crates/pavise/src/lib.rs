//! The platform as a binary: what runs where, on which engine, behind which port.

pub mod admin;
pub mod app;
pub mod contract;
pub mod courier;
pub mod demo;
pub mod engine;
pub mod journal;
pub mod openapi;
pub mod pages;
pub mod server;
pub mod settings;
pub mod telemetry;
pub mod token;
pub mod web;
pub mod wire;
pub mod workers;

/// Prints to standard output. A reader that has seen enough (`| head`) is no error.
pub fn print_out(text: &str) {
    use std::io::Write as _;
    let _ = std::io::stdout().write_all(text.as_bytes());
}
