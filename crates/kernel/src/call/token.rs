//! Tokens: JWTs signed with Ed25519. There is one algorithm, one issuer, and a key id; nothing is negotiable. A header
//! with anything else is refused before a key is looked up.
//!
//! Members and staff carry tokens signed by the identity domain's keys, which a [`KeySource`] answers. The parts of the
//! platform call each other with tokens of a [`MeshCredential`]. Every process derives its key from the same secret,
//! and such a token is valid for realm Machine only.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
pub use ed25519_dalek::VerifyingKey;
use ed25519_dalek::{Signature, Signer as _, SigningKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256, Sha512};

use crate::call::access;
use crate::call::caller::{Caller, Impersonator, Realm, Verifier};
use crate::call::peers::Credential;
use crate::call::revoked::Revoked;
use crate::call::scope::{Claimed, Scopes};
use crate::error::{Common, Error, Result};
use crate::time::{Ids, Micros};

#[cfg(test)]
mod tests;

/// The issuer of the platform's tokens.
pub const ISSUER: &str = "pavise";
/// The audience of tokens that give access to calls.
pub const AUDIENCE: &str = "pavise";
/// The key id of tokens with which the parts of the platform call each other, while they share one secret. While they
/// share two, the ids are `mesh-` and the [fingerprint](TokenKey::fingerprinted) of the key.
pub const MESH: &str = "mesh";
/// The longest accepted token, in bytes. Longer HTTP headers do not reach the process anyway.
pub const LARGEST: usize = 8 * 1024;

const ALGORITHM: &str = "EdDSA";
/// The allowed difference between two machines' clocks, in seconds.
const LEEWAY: i64 = 60;
const SECOND: Micros = 1_000_000;
/// How long a key from the source is trusted.
const KEY_TRUST: Micros = 300 * SECOND;
/// How long an unknown key is taken as missing.
const KEY_DOUBT: Micros = 5 * SECOND;
/// The numbers of keys and of verified tokens that are cached.
const KEYS: usize = 256;
const TOKENS: usize = 8 * 1024;
/// The lifetime of a mesh token, and the time before its end at which it is renewed.
const MESH_LIFETIME: Duration = Duration::from_secs(600);
const MESH_RENEWAL: Micros = 120 * SECOND;

/// The reason why a token is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// It is not a JWT of the platform's form.
    #[error("it is not a token of ours")]
    Malformed,
    /// It is longer than any token of the platform.
    #[error("it is longer than 8 KiB")]
    TooLarge,
    /// Its header names another algorithm, or holds a field that the platform does not use.
    #[error("its header must be alg EdDSA, typ JWT and a kid, and nothing else")]
    Header,
    /// The key does not exist, or is not for such a token.
    #[error("its key is unknown")]
    UnknownKey,
    /// The signature does not match the key.
    #[error("its signature is wrong")]
    Signature,
    /// Another issuer made it.
    #[error("somebody else made it")]
    Issuer,
    /// It is for another audience.
    #[error("it is for somebody else")]
    Audience,
    /// It is not valid yet.
    #[error("it is not good yet")]
    NotYet,
    /// It has expired.
    #[error("it has expired")]
    Expired,
}

impl From<Flaw> for Error {
    fn from(flaw: Flaw) -> Self {
        let error = match flaw {
            Flaw::Expired => Self::new(Common::TokenExpired, "the token has expired; sign in again"),
            _ => Self::new(Common::TokenInvalid, "the token is not valid here"),
        };
        error.because(flaw)
    }
}

/// The claims of a token. Times are seconds since the epoch.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are those of RFC 7519 and of the caller")]
pub struct Claims {
    pub iss: String,
    pub aud: String,
    pub sub: String,
    pub realm: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sub_type: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub permissions: BTreeMap<String, Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    #[serde(default, skip_serializing_if = "Claimed::is_empty")]
    pub scopes: Claimed,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ver: i64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sid: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub auth_time: i64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub app: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<Act>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub jti: String,
    pub iat: i64,
    /// The microseconds of `iat` after the full second.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub iat_us: i64,
    pub nbf: i64,
    pub exp: i64,
}

/// The identity that acts in the subject's name (RFC 8693 §4.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    /// The acting identity.
    pub sub: String,
    /// Whether it may write.
    pub write: bool,
    /// The session from which it acts.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sid: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    alg: String,
    #[serde(default = "jwt")]
    typ: String,
    kid: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &i64) -> bool {
    *number == 0
}

fn jwt() -> String {
    "JWT".to_owned()
}

impl Claims {
    /// The claims of a token for `caller` that is made at `now` and valid for `lifetime`.
    #[must_use]
    pub fn of(caller: &Caller, lifetime: Duration, now: Micros) -> Self {
        let seconds = now.div_euclid(SECOND);
        let lifetime = i64::try_from(lifetime.as_secs()).unwrap_or(i64::MAX);
        let (groups, scopes) = caller.scopes.claims();
        Self {
            iss: ISSUER.to_owned(),
            aud: AUDIENCE.to_owned(),
            sub: caller.identity.clone(),
            realm: access::realm_name(caller.realm).to_owned(),
            sub_type: caller.sub_type.clone(),
            permissions: caller.permissions.clone(),
            groups,
            scopes,
            ver: caller.version,
            sid: caller.session.clone(),
            auth_time: caller.proved_at.map_or(0, |at| at.div_euclid(SECOND)),
            app: caller.application.clone(),
            act: caller.actor.as_ref().map(|actor| Act {
                sub: actor.identity.clone(),
                write: actor.may_write,
                sid: actor.session.clone(),
            }),
            jti: String::new(),
            iat: seconds,
            iat_us: now.rem_euclid(SECOND),
            nbf: seconds,
            exp: seconds.saturating_add(lifetime),
        }
    }

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

    /// The bearer, if the claims name one.
    #[must_use]
    pub fn caller(&self) -> Option<Caller> {
        Some(Caller {
            identity: Some(self.sub.clone()).filter(|sub| !sub.is_empty())?,
            realm: access::realm_of(&self.realm)?,
            sub_type: self.sub_type.clone(),
            permissions: self.permissions.clone(),
            scopes: Scopes::of_claims(&self.groups, &self.scopes),
            version: self.ver,
            session: self.sid.clone(),
            proved_at: (self.auth_time > 0).then(|| self.auth_time.saturating_mul(SECOND)),
            application: self.app.clone(),
            actor: match &self.act {
                Some(act) if act.sub.is_empty() => return None,
                Some(act) => {
                    Some(Impersonator { identity: act.sub.clone(), may_write: act.write, session: act.sid.clone() })
                }
                None => None,
            },
            expires_at: None,
        })
    }
}

/// A token for `caller`, valid for `lifetime` from `now`.
#[must_use]
pub fn issue(caller: &Caller, lifetime: Duration, key: &TokenKey, now: Micros) -> String {
    Claims::of(caller, lifetime, now).sign(key)
}

/// A key that signs tokens.
#[derive(Clone)]
pub struct TokenKey {
    kid: String,
    key: SigningKey,
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
        ids.fill(&mut private);
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
    pub fn fingerprinted(self) -> Self {
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
fn mesh_id(public: &VerifyingKey) -> String {
    let digest = Sha256::digest(public.as_bytes());
    format!("{MESH}-{}", crate::call::hex(digest.get(..8).unwrap_or_default()))
}

/// Whether the id is that of a key of the platform's parts. The identity domain's keys have UUIDs.
fn is_mesh(kid: &str) -> bool {
    kid.strip_prefix(MESH).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// A token that is parsed but not verified.
#[derive(Debug)]
pub struct Unverified<'a> {
    kid: String,
    signed: &'a str,
    claims: &'a str,
    signature: Signature,
}

impl<'a> Unverified<'a> {
    /// Parses a token.
    ///
    /// # Errors
    /// `TooLarge`, `Malformed` or `Header`.
    pub fn read(token: &'a str) -> Result<Self, Flaw> {
        if token.len() > LARGEST {
            return Err(Flaw::TooLarge);
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(Flaw::Malformed)?;
        let (header, claims) = signed.split_once('.').ok_or(Flaw::Malformed)?;
        let decoded = URL_SAFE_NO_PAD.decode(header).map_err(|_| Flaw::Malformed)?;
        let header: Header = serde_json::from_slice(&decoded).map_err(|_| Flaw::Header)?;
        let kid_is_ours = (1..=64).contains(&header.kid.len())
            && header.kid.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if header.alg != ALGORITHM || header.typ != "JWT" || !kid_is_ours {
            return Err(Flaw::Header);
        }
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| Flaw::Malformed)?;
        let signature = Signature::from_slice(&signature).map_err(|_| Flaw::Malformed)?;
        Ok(Self { kid: header.kid, signed, claims, signature })
    }

    /// The key id in the token's header.
    #[must_use]
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// The claims, if `key` signed the token, for `audience`, and it is valid at `now`.
    ///
    /// # Errors
    /// The first flaw.
    pub fn verify(&self, key: &VerifyingKey, audience: &str, now: Micros) -> Result<Claims, Flaw> {
        key.verify_strict(self.signed.as_bytes(), &self.signature).map_err(|_| Flaw::Signature)?;
        let json = URL_SAFE_NO_PAD.decode(self.claims).map_err(|_| Flaw::Malformed)?;
        let claims: Claims = serde_json::from_slice(&json).map_err(|_| Flaw::Malformed)?;
        let now = now.div_euclid(SECOND);
        if claims.iss != ISSUER {
            return Err(Flaw::Issuer);
        }
        if claims.aud != audience {
            return Err(Flaw::Audience);
        }
        if now >= claims.exp {
            return Err(Flaw::Expired);
        }
        let latest = now.saturating_add(LEEWAY);
        if claims.nbf > latest || claims.iat > latest {
            return Err(Flaw::NotYet);
        }
        if claims.caller().is_none() {
            return Err(Flaw::Malformed);
        }
        Ok(claims)
    }
}

/// A source of the keys' public halves.
#[async_trait]
pub trait KeySource: Send + Sync + fmt::Debug + 'static {
    /// The key; `None` when no key has that id or it was withdrawn.
    ///
    /// # Errors
    /// When the source does not answer.
    async fn key(&self, kid: &str) -> Result<Option<VerifyingKey>>;
}

/// A source without keys, for a process that admits only the platform's own parts.
#[derive(Debug, Clone, Copy)]
pub struct NoKeys;

#[async_trait]
impl KeySource for NoKeys {
    async fn key(&self, _kid: &str) -> Result<Option<VerifyingKey>> {
        Ok(None)
    }
}

/// Verifies tokens and caches the valid ones, because calls within the process carry the same token again and again.
#[derive(Debug)]
pub struct TokenVerifier {
    source: Arc<dyn KeySource>,
    /// The keys of the platform's parts, with their ids: one, or two while the mesh secret is being changed.
    mesh: Vec<(String, VerifyingKey)>,
    revoked: Revoked,
    keys: Mutex<HashMap<String, (Option<VerifyingKey>, Micros)>>,
    tokens: Mutex<HashMap<[u8; 32], Arc<Known>>>,
}

/// A valid token.
#[derive(Debug)]
struct Known {
    caller: Arc<Caller>,
    made: Micros,
    /// Whether a part of the platform made it: nothing ends its access.
    is_mesh: bool,
    expires: i64,
    /// The time until which its key counts as not withdrawn.
    believed: Micros,
}

impl TokenVerifier {
    /// Verifies tokens of the keys that `source` knows, and of the platform's own parts.
    #[must_use]
    pub fn new(source: Arc<dyn KeySource>, mesh: impl IntoIterator<Item = VerifyingKey>) -> Self {
        let mesh = mesh.into_iter().map(|key| (mesh_id(&key), key)).collect();
        Self { source, mesh, revoked: Revoked::default(), keys: Mutex::default(), tokens: Mutex::default() }
    }

    /// Refuses tokens of the sessions in that set.
    #[must_use]
    pub fn without(mut self, revoked: Revoked) -> Self {
        self.revoked = revoked;
        self
    }

    /// The bearer, unless the token has expired or its session ended.
    fn admitted(&self, known: &Known, seconds: i64) -> Result<Arc<Caller>> {
        if seconds >= known.expires {
            return Err(Flaw::Expired.into());
        }
        if !known.is_mesh && self.revoked.holds(&known.caller, known.made) {
            return Err(Error::new(
                Common::TokenExpired,
                "the session was ended, or its rights changed; renew the token or sign in again",
            ));
        }
        Ok(Arc::clone(&known.caller))
    }

    /// The claims of the token, if the key with its id signed it.
    async fn claims(&self, token: &Unverified<'_>, now: Micros) -> Result<Claims> {
        if !is_mesh(token.kid()) {
            let key = self.key(token.kid(), now).await?.ok_or(Flaw::UnknownKey)?;
            return Ok(token.verify(&key, AUDIENCE, now)?);
        }
        // A part that knows one secret does not name it.
        let named = |(id, _): &&(String, VerifyingKey)| token.kid() == MESH || token.kid() == id;
        let mut flaw = Flaw::UnknownKey;
        for (_, key) in self.mesh.iter().filter(named) {
            match token.verify(key, AUDIENCE, now) {
                Err(Flaw::Signature) => flaw = Flaw::Signature,
                verified => return Ok(verified?),
            }
        }
        Err(flaw.into())
    }

    /// The key with that id. The source's answer is cached for a while.
    ///
    /// # Errors
    /// When the source does not answer.
    async fn key(&self, kid: &str, now: Micros) -> Result<Option<VerifyingKey>> {
        if let Some((key, until)) = lock(&self.keys).get(kid)
            && now < *until
        {
            return Ok(*key);
        }
        let key = self.source.key(kid).await?;
        let until = now.saturating_add(if key.is_some() { KEY_TRUST } else { KEY_DOUBT });
        let mut keys = lock(&self.keys);
        make_room(&mut keys, KEYS, |(_, until)| now < *until);
        keys.insert(kid.to_owned(), (key, until));
        Ok(key)
    }
}

#[async_trait]
impl Verifier for TokenVerifier {
    async fn verify(&self, token: &str, now: Micros) -> Result<Arc<Caller>> {
        if token.len() > LARGEST {
            return Err(Flaw::TooLarge.into());
        }
        let digest: [u8; 32] = Sha256::digest(token).into();
        let seconds = now.div_euclid(SECOND);
        let known = lock(&self.tokens).get(&digest).cloned();
        if let Some(known) = known
            && now < known.believed
        {
            return self.admitted(&known, seconds);
        }
        let token = Unverified::read(token)?;
        let claims = self.claims(&token, now).await?;
        let caller = claims.caller().ok_or(Flaw::Malformed)?;
        // Every process holds the mesh secret. If one process leaks it, the key must not speak for members or staff.
        if is_mesh(token.kid()) && caller.realm != Realm::Machine {
            return Err(Flaw::UnknownKey.into());
        }
        let caller = Arc::new(Caller { expires_at: Some(claims.exp.saturating_mul(SECOND)), ..caller });
        let made = claims.iat.saturating_mul(SECOND).saturating_add(claims.iat_us.clamp(0, SECOND - 1));
        let (is_mesh, believed) = (is_mesh(token.kid()), now.saturating_add(KEY_TRUST));
        let known = Known { caller, made, is_mesh, expires: claims.exp, believed };
        let known = Arc::new(known);
        let mut tokens = lock(&self.tokens);
        make_room(&mut tokens, TOKENS, |known| seconds < known.expires);
        tokens.insert(digest, Arc::clone(&known));
        drop(tokens);
        self.admitted(&known, seconds)
    }
}

/// The token with which this process calls other parts of the platform. It is renewed before it expires.
#[derive(Debug)]
pub struct MeshCredential {
    key: TokenKey,
    caller: Caller,
    current: Mutex<(String, Micros)>,
}

impl MeshCredential {
    /// Signs with the key that the platform's parts share. `name` is the platform's name in journals.
    #[must_use]
    pub fn new(key: TokenKey, name: &str) -> Self {
        Self { key, caller: Caller::platform(name), current: Mutex::new((String::new(), Micros::MIN)) }
    }
}

impl Credential for MeshCredential {
    fn token(&self, now: Micros) -> String {
        let mut current = lock(&self.current);
        if now >= current.1 {
            let lifetime = Micros::try_from(MESH_LIFETIME.as_micros()).unwrap_or(0);
            *current =
                (issue(&self.caller, MESH_LIFETIME, &self.key, now), now.saturating_add(lifetime - MESH_RENEWAL));
        }
        current.0.clone()
    }
}

/// Makes room for one more: drops expired items, or all items if that does not suffice.
fn make_room<K, V>(map: &mut HashMap<K, V>, size: usize, mut good: impl FnMut(&V) -> bool) {
    if map.len() >= size {
        map.retain(|_, value| good(value));
    }
    if map.len() >= size {
        map.clear();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
