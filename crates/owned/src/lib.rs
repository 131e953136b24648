//! What every domain does with what an owner has in it, when something happens to the owner.
//!
//! A service keeps the record of such a process and lists in it one processor for each kind of thing. Each domain runs a
//! worker that reads the record's journal, does its own share, and reports it. The domain's contract says what becomes of
//! each aggregate ([`pavise_kernel::table::Holding`]); what it cannot say, the domain writes in Rust
//! ([`pavise_kernel::HandOver`]).
//!
//! The one process today is [`merge`]. Another kind of process is another module with the client of its record.

pub mod merge;
