//! The REST facade: every documented path, made from the contract when the server starts.
//!
//! A request is matched to a call ([`trie`]), its path, query and body become the call's message without any type
//! of it being known here ([`assemble`]), and what comes back is written as JSON ([`answer`], [`stream`]). Whatever goes
//! wrong has one shape ([`refuse`]). Nothing is decided here about who may do what: the services do that.

mod answer;
mod assemble;
mod browser;
mod content;
mod facade;
mod front;
#[cfg(feature = "fuzz")]
pub mod fuzz;
mod host;
mod metadata;
mod multipart;
mod path;
mod refusal;
mod route;
mod router;
mod stream;
mod template;
mod trie;
mod upstream;
mod wire;

pub use browser::Cookies;
pub use facade::without_body;
pub use front::{Front, Rest};
pub use refusal::{refusal_json, refuse};
pub use route::Matched;
pub use router::{Options, cors, facade};
