//! The REST facade: every documented path, made from the contract when the server starts.
//!
//! [`trie`] matches a request to a call. [`assemble`] makes the call's message of its path, query and body, with no
//! type known here; [`answer`] and [`stream`] write the answer as JSON. Every failure has one shape ([`refuse`]). The
//! services, not the facade, decide on permissions.

mod answer;
mod assemble;
mod browser;
mod byte_rule;
mod content;
mod download;
mod facade;
mod front;
#[cfg(feature = "fuzz")]
pub mod fuzz;
mod host;
mod metadata;
mod multipart;
mod options;
mod path;
mod place;
mod raw;
mod refusal;
mod route;
mod router;
mod rule;
mod stream;
mod template;
mod trie;
mod upload;
mod upstream;
mod wire;

pub use browser::Cookies;
pub use facade::without_body;
pub use front::{Front, Rest};
pub use options::Options;
pub use refusal::{refusal_json, refuse};
pub use route::Matched;
pub use router::{cors, facade};
