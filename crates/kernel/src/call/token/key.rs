//! Keys that sign tokens.

use std::fmt;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256, Sha512};

use crate::call::caller::Caller;
use crate::call::token::claims::Claims;
use crate::hex::to_hex;
use crate::time::{Ids, Micros};

/// The key id of tokens with which the parts of the platform call each other, while they share one secret. While they
/// share two, the ids are `mesh-` and the [fingerprint](TokenKey::fingerprinted) of the key.
pub const MESH: &str = "mesh";

pub(super) const ALGORITHM: &str = "EdDSA";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub(super) alg: String,
    #[serde(default = "jwt")]
    pub(super) typ: String,
    pub(super) kid: String,
}

fn jwt() -> String {
    "JWT".to_owned()
}

impl Claims {
    /// The signed token.
    #[must_use]
    pub fn sign(&self, key: &TokenKey) -> String {
        let header = Header { alg: ALGORITHM.to_owned(), typ: jwt(), kid: key.kid.clone() };
        // Strings, lists and numbers always convert to JSON. If one did not, the token would be empty and useless.
        let part = |json: serde_json::Result<Vec<u8>>| URL_SAFE_NO_PAD.encode(json.unwrap_or_default());
        let signed = format!("{}.{}", part(serde_json::to_vec(&header)), part(serde_json::to_vec(self)));
        let signature = key.key.sign(signed.as_bytes());
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature.to_bytes()))
    }
}

/// A token for `caller`, valid for `lifetime` from `now`.
#[must_use]
pub fn issue_token(caller: &Caller, lifetime: Duration, key: &TokenKey, now: Micros) -> String {
    Claims::of(caller, lifetime, now).sign(key)
}

/// A key that signs tokens.
#[derive(Clone)]
pub struct TokenKey {
    kid: String,
    pub(super) key: SigningKey,
}

impl TokenKey {
    /// The key with that id and that private half.
    #[must_use]
    pub fn new(kid: impl Into<String>, private: &[u8; 32]) -> Self {
        Self { kid: kid.into(), key: SigningKey::from_bytes(private) }
    }

    /// A new key.
    #[must_use]
    pub fn random(kid: impl Into<String>, ids: &Ids) -> Self {
        let mut private = [0; 32];
        ids.fill_random(&mut private);
        Self::new(kid, &private)
    }

    /// The key of the platform's own parts, derived from the secret that they share. The secret should have at least 32
    /// random characters: knowledge of it gives every right.
    #[must_use]
    pub fn mesh(secret: &[u8]) -> Self {
        let digest = Sha512::new_with_prefix("pavise mesh token key v1\0").chain_update(secret).finalize();
        let mut private = [0; 32];
        for (to, from) in private.iter_mut().zip(digest) {
            *to = from;
        }
        Self::new(MESH, &private)
    }

    /// The same key with an id of its own, so that two keys of the platform's parts can be told apart.
    #[must_use]
    pub fn with_fingerprint(self) -> Self {
        Self { kid: mesh_id(&self.public()), ..self }
    }

    /// The key's id.
    #[must_use]
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// The key's public half.
    #[must_use]
    pub fn public(&self) -> VerifyingKey {
        self.key.verifying_key()
    }

    /// The key's private half: for sealing, never for showing.
    #[must_use]
    pub fn private(&self) -> [u8; 32] {
        self.key.to_bytes()
    }
}

impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TokenKey({})", self.kid)
    }
}

/// The id of a key of the platform's parts: eight bytes of the digest of its public half.
pub(super) fn mesh_id(public: &VerifyingKey) -> String {
    let digest = Sha256::digest(public.as_bytes());
    format!("{MESH}-{}", to_hex(digest.get(..8).unwrap_or_default()))
}

/// Whether the id is that of a key of the platform's parts. The identity domain's keys have UUIDs.
pub(super) fn is_mesh(kid: &str) -> bool {
    kid.strip_prefix(MESH).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}
