//! Every domain's handling of an owner's things when something happens to the owner.
//!
//! A service keeps the record of such a process, with one processor for each kind of thing. Each domain runs a worker.
//! The worker reads the record's journal, does the domain's share, and reports it. The domain's contract gives the rule
//! for each aggregate ([`pavise_kernel::table::OwnedEntity`]). The domain writes in Rust what the contract cannot express
//! ([`pavise_kernel::MoveToOwner`]).
//!
//! The only process today is [`merge`]. Another process is another module with the client of its record.

pub mod merge;
