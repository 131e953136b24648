//! The kernel: the functions that all services share.
//!
//! A call enters through [`Kernel::serve`], which authorizes, validates, replays a known idempotency key, and answers.
//! A handler gets a [`Call`] and reads and writes aggregates through it. [`committer::Committer`] makes their changes
//! durable in groups, with journal and idempotency record, in a task of its own. [`worker`] runs the work that follows.
//!
//! The folders are floors, from below: `port`, `entity`, `call`, `read`, `write`, `work`. An upper one adds its methods to
//! [`Call`] and [`Kernel`]. No file imports in a circle.
//!
//! The kernel names no engine: [`store::Store`] is the port, and one conformance suite tests every engine behind it.

pub mod call;
pub mod domain;
mod entity;
pub mod error;
#[cfg(feature = "fuzz")]
pub mod fuzz;
pub mod hex;
pub mod kernel;
mod port;
pub mod read;
pub mod sealed;
pub mod time;
mod work;
pub mod write;

pub use call::{
    access, bytes, caller, disclosures, in_flight, patience, peers, revoked, scope, security, services, stream, ties,
};
pub use call::{token, trace_context};
pub use entity::{aggregate, codec, due, edit, mask, money, show, tree_position, words};
#[cfg(feature = "conformance")]
pub use port::conformance;
pub use port::{commit_plan, committer, conditions, counts, files, migrations, numbers, store, tables, verify};
pub use read::{range, search, titles};
pub use work::{forget, notify_subject, owned_entities, runner, schedule, sweep_files, test_clock, unowned, worker};
pub use write::{name_registry, unit};

pub use call::Call;
pub use call::bytes::{Download, Upload};
pub use call::caller::Caller;
pub use call::refusal_log::code_name;
pub use call::revoked::RevokedTokens;
pub use call::scope::{Scope, Scopes};
pub use call::services::{ServeDomain, Services};
pub use domain::Domain;
pub use entity::admit::Admit;
pub use entity::aggregate::{Aggregate, Derive, Head, HeadMut, Invariants, Recipient, Redact, Target};
pub use entity::disclosed_owners::DisclosedOwners;
pub use entity::edit::{CheckRequest, Edit, EditContext, Narrow};
pub use entity::parent::Parent;
pub use entity::show::Show;
pub use entity::siblings::Siblings;
pub use error::{Common, Error, Reason, Result};
pub use kernel::{Kernel, TableEntry};
pub use read::Page;
pub use read::range::ListRange;
pub use read::search::{Criterion, Search, SearchPage};
pub use read::titles::{HasTitle, TitleSource};
pub use work::owned_entities::{MoveToOwner, OwnerMove};
pub use write::unit::Unit;
pub use write::{Consequences, Step, ToStatus};

pub use async_trait::async_trait;
pub use pavise_contract::common;
pub use pavise_contract::table;
pub use pavise_values as values;
pub use pavise_values::{check_digit, email, postal, regions};
pub use prost_protovalidate::Validate;
