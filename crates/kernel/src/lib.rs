//! The kernel: the functions that all services share.
//!
//! A call enters through [`Kernel::serve`], which authorizes, validates, replays a known idempotency key, and answers.
//! A handler gets a [`Call`] and reads and writes aggregates through it. [`committer::Committer`] makes their changes
//! durable in groups, with journal and idempotency record, in a task of its own. [`worker`] runs the work that follows.
//!
//! The kernel names no engine: [`store::Store`] is the port, and one conformance suite tests every engine behind it.

pub mod access;
pub mod aggregate;
pub mod batch;
pub mod call;
pub mod caller;
pub mod check_digit;
mod checks;
pub mod children;
pub mod codec;
pub mod committer;
pub mod conditions;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod counts;
pub mod disclosures;
mod document;
pub mod domain;
pub mod due;
pub mod edit;
pub mod error;
pub mod forget;
#[cfg(feature = "fuzz")]
pub mod fuzz;
mod gauges;
mod heads;
pub mod holdings;
mod journal;
pub mod kernel;
pub mod migrations;
pub mod money;
pub mod names;
pub mod numbers;
mod open;
mod pace;
mod page_token;
pub mod peers;
pub mod place;
pub mod postal;
pub mod read;
mod refusals;
pub mod revoked;
pub mod rise;
pub mod runner;
pub mod scope;
pub mod search;
pub mod seat;
pub mod security;
mod serve;
pub mod services;
mod several;
mod siblings;
pub mod store;
pub mod stream;
mod sync;
pub mod tables;
pub mod ties;
pub mod time;
pub mod titles;
pub mod token;
pub mod told;
pub mod trace_context;
pub mod tree;
pub mod unit;
pub mod unowned;
pub mod verify;
pub mod view;
mod watch;
pub mod words;
pub mod worker;
pub mod write;

pub use aggregate::{Aggregate, Derive, Head, HeadMut, Invariants, Recipient, Redact, Target};
pub use call::Call;
pub use caller::Caller;
pub use children::Parent;
pub use disclosures::Disclosed;
pub use domain::Domain;
pub use edit::{CheckRequest, Edit, EditContext, Narrow};
pub use error::{Common, Error, Reason, Result};
pub use holdings::{HandOver, Handover};
pub use kernel::{Kernel, TableEntry};
pub use read::Page;
pub use revoked::Revoked;
pub use rise::Rise;
pub use scope::{Scope, Scopes};
pub use search::{Criterion, Search};
pub use serve::code_name;
pub use services::{Serve, Services};
pub use siblings::Siblings;
pub use titles::{TitleSource, Titled};
pub use unit::Unit;
pub use view::Show;
pub use write::{Consequences, Step, ToStatus};

pub use async_trait::async_trait;
pub use pavise_contract::common;
pub use pavise_contract::table;
pub use prost_protovalidate::Validate;
