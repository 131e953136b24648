//! The platform as a binary: its parts, engines and ports.

pub mod admin;
pub mod app;
pub mod channels;
pub mod contract;
pub mod demo;
pub mod domains;
pub mod engine;
pub mod journal;
pub mod keys;
pub mod migration;
pub mod openapi;
pub mod pages;
pub mod person;
mod sellers;
pub mod server;
pub mod settings;
pub mod telemetry;
mod today;
pub mod token;
pub mod web;
pub mod wire;
pub mod workers;

/// Prints to standard output. Answers whether anybody still reads; a reader who has left (`| head`) is no error.
///
/// # Errors
/// When the output fails otherwise: a full disk must not look like a complete answer.
pub fn print_out(text: &str) -> anyhow::Result<bool> {
    use std::io::{ErrorKind, Write as _};
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(anyhow::Error::new(error).context("standard output cannot be written")),
    }
}
