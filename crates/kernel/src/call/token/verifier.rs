//! Verifies tokens, with a cache.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use ed25519_dalek::VerifyingKey;
use sha2::{Digest as _, Sha256};

use crate::call::caller::{Caller, Realm, Verifier};
use crate::call::revoked::RevokedTokens;
use crate::call::token::claims::{AUDIENCE, Claims, SECOND};
use crate::call::token::flaw::TokenFlaw;
use crate::call::token::key::{MESH, is_mesh, mesh_id};
use crate::call::token::unverified::{LARGEST, UnverifiedToken};
use crate::error::{Common, Error, Result};
use crate::time::Micros;

/// How long a key from the source is trusted.
pub(super) const KEY_TRUST: Micros = 300 * SECOND;
/// How long an unknown key is taken as missing.
pub(super) const KEY_DOUBT: Micros = 5 * SECOND;
/// The numbers of keys and of verified tokens that are cached.
const KEYS: usize = 256;
const TOKENS: usize = 8 * 1024;

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
    pub(super) mesh: Vec<(String, VerifyingKey)>,
    revoked: RevokedTokens,
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
        Self { source, mesh, revoked: RevokedTokens::default(), keys: Mutex::default(), tokens: Mutex::default() }
    }

    /// Refuses tokens of the sessions in that set.
    #[must_use]
    pub fn without(mut self, revoked: RevokedTokens) -> Self {
        self.revoked = revoked;
        self
    }

    /// The bearer, unless the token has expired or its session ended.
    fn admitted(&self, known: &Known, seconds: i64) -> Result<Arc<Caller>> {
        if seconds >= known.expires {
            return Err(TokenFlaw::Expired.into());
        }
        if !known.is_mesh && self.revoked.is_revoked(&known.caller, known.made) {
            return Err(Error::new(
                Common::TokenExpired,
                "the session was ended, or its rights changed; renew the token or sign in again",
            ));
        }
        Ok(Arc::clone(&known.caller))
    }

    /// The claims of the token, if the key with its id signed it.
    async fn claims(&self, token: &UnverifiedToken<'_>, now: Micros) -> Result<Claims> {
        if !is_mesh(token.kid()) {
            let key = self.key(token.kid(), now).await?.ok_or(TokenFlaw::UnknownKey)?;
            return Ok(token.verify(&key, AUDIENCE, now)?);
        }
        // A part that knows one secret does not name it.
        let named = |(id, _): &&(String, VerifyingKey)| token.kid() == MESH || token.kid() == id;
        let mut flaw = TokenFlaw::UnknownKey;
        for (_, key) in self.mesh.iter().filter(named) {
            match token.verify(key, AUDIENCE, now) {
                Err(TokenFlaw::Signature) => flaw = TokenFlaw::Signature,
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
            return Err(TokenFlaw::TooLarge.into());
        }
        let digest: [u8; 32] = Sha256::digest(token).into();
        let seconds = now.div_euclid(SECOND);
        let known = lock(&self.tokens).get(&digest).cloned();
        if let Some(known) = known
            && now < known.believed
        {
            return self.admitted(&known, seconds);
        }
        let token = UnverifiedToken::read(token)?;
        let claims = self.claims(&token, now).await?;
        let caller = claims.caller().ok_or(TokenFlaw::Malformed)?;
        // Every process holds the mesh secret. If one process leaks it, the key must not speak for members or staff.
        if is_mesh(token.kid()) && caller.realm != Realm::Machine {
            return Err(TokenFlaw::UnknownKey.into());
        }
        let (expires_at, has_mesh_secret) = (Some(claims.exp.saturating_mul(SECOND)), is_mesh(token.kid()));
        let caller = Arc::new(Caller { expires_at, has_mesh_secret, ..caller });
        let made = claims.iat.saturating_mul(SECOND).saturating_add(claims.iat_us.clamp(0, SECOND - 1));
        let believed = now.saturating_add(KEY_TRUST);
        let known = Known { caller, made, is_mesh: has_mesh_secret, expires: claims.exp, believed };
        let known = Arc::new(known);
        let mut tokens = lock(&self.tokens);
        make_room(&mut tokens, TOKENS, |known| seconds < known.expires);
        tokens.insert(digest, Arc::clone(&known));
        drop(tokens);
        self.admitted(&known, seconds)
    }
}

/// Makes room for one more: drops expired items, or all items if that does not suffice.
pub(super) fn make_room<K, V>(map: &mut HashMap<K, V>, size: usize, mut good: impl FnMut(&V) -> bool) {
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
