//! The orders domain through its own calls and workers, with the other domains played by a small world that counts what
//! it is asked to do.

#![expect(clippy::unwrap_used, reason = "tests")]

mod groups;
mod held;
mod merges;
mod people;
mod prices;
mod purchase;
mod scene;
mod searches;
mod supplements;
mod tax;
mod visitors;
mod world;
