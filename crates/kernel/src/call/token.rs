//! Tokens: JWTs signed with Ed25519. There is one algorithm, one issuer, and a key id; nothing is negotiable. A header
//! with anything else is refused before a key is looked up.
//!
//! Members and staff carry tokens signed by the identity domain's keys, which a [`KeySource`] answers. The parts of the
//! platform call each other with tokens of a [`MeshCredential`]. Every process derives its key from the same secret,
//! and such a token is valid for realm Machine only.

mod claims;
mod flaw;
mod key;
mod mesh;
mod unverified;
mod verifier;

#[cfg(test)]
mod tests;

pub use claims::{AUDIENCE, Actor, Claims, ISSUER};
pub use ed25519_dalek::VerifyingKey;
pub use flaw::TokenFlaw;
pub use key::{MESH, TokenKey, issue_token};
pub use mesh::MeshCredential;
pub use unverified::{LARGEST, UnverifiedToken};
pub use verifier::{KeySource, NoKeys, TokenVerifier};
