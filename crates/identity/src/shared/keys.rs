//! The signing keys: their storage, their opening, and their public halves.

mod remote;
mod seal;

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pavise_kernel::store::{Filter, Store, StoredRow};
use pavise_kernel::time::{MINUTE, Micros};
use pavise_kernel::token::{KeySource, TokenKey, VerifyingKey};
use pavise_kernel::{Error, Result};
use serde::Deserialize;

pub(crate) use remote::Channel;
pub use remote::RemoteKeys;
pub(crate) use seal::Seal;

use crate::config::Config;
use crate::contract::SIGNING_KEY_TABLE;
use crate::contract::v1::{ErrorReason, SigningKeyStatus};

/// How long an opened key is used before the database is asked again; a replaced key's tokens stay good far longer.
const FRESH: Micros = MINUTE;

/// The fields that are read of a key's document.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredKey {
    #[serde(default)]
    public_key: String,
    #[serde(default)]
    sealed_private_key: String,
}

impl StoredKey {
    fn of(row: &StoredRow) -> Result<Self> {
        serde_json::from_str(&row.doc).map_err(|_| Error::internal("a signing key's document cannot be read"))
    }

    fn public(&self) -> Result<VerifyingKey> {
        let bytes = STANDARD.decode(&self.public_key).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        let key = bytes.and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
        key.ok_or_else(|| Error::internal("a signing key's public half cannot be read"))
    }
}

/// The public halves of the keys in the database.
#[derive(Debug, Clone)]
pub struct LocalKeys(Arc<dyn Store>);

impl LocalKeys {
    /// The keys in `store`, which must have this domain's tables.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self(store)
    }
}

#[async_trait]
impl KeySource for LocalKeys {
    async fn key(&self, kid: &str) -> Result<Option<VerifyingKey>> {
        match self.0.get(&SIGNING_KEY_TABLE, kid).await? {
            Some(row) if row.status != SigningKeyStatus::Retired.spelling() => StoredKey::of(&row)?.public().map(Some),
            _ => Ok(None),
        }
    }
}

/// The key that signs.
#[derive(Debug)]
pub(crate) struct KeyRing {
    store: Arc<dyn Store>,
    seal: Seal,
    current: Mutex<Option<(TokenKey, Micros)>>,
}

impl KeyRing {
    pub(crate) fn new(store: Arc<dyn Store>, config: &Config) -> Self {
        Self { store, seal: Seal::of(config), current: Mutex::new(None) }
    }

    pub(crate) fn seal(&self) -> &Seal {
        &self.seal
    }

    /// Forgets the opened key, so that the next signature reads the database.
    pub(crate) fn forget_opened(&self) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(crate) fn public(&self) -> LocalKeys {
        LocalKeys::new(self.store.clone())
    }

    /// The newest active key.
    ///
    /// # Errors
    /// When the database does not answer.
    pub(crate) async fn load_active(&self) -> Result<Option<StoredRow>> {
        let filter =
            Filter { statuses: vec![SigningKeyStatus::Active.spelling().to_owned()], limit: 1, ..Filter::default() };
        Ok(self.store.list(&SIGNING_KEY_TABLE, &filter).await?.into_iter().next())
    }

    /// Whether an active key is sealed with the first secret.
    ///
    /// # Errors
    /// When its document cannot be read.
    pub(crate) fn is_current(&self, row: &StoredRow) -> Result<bool> {
        Ok(self.seal.is_current(&STANDARD.decode(StoredKey::of(row)?.sealed_private_key).unwrap_or_default()))
    }

    /// The key that signs now, opened.
    ///
    /// # Errors
    /// `NO_SIGNING_KEY` when there is none or it was sealed with another secret.
    pub(crate) async fn load_signing(&self, now: Micros) -> Result<TokenKey> {
        if let Some((key, until)) = &*self.current.lock().unwrap_or_else(PoisonError::into_inner)
            && now < *until
        {
            return Ok(key.clone());
        }
        let missing = |why: &str| {
            Error::new(ErrorReason::NoSigningKey, "there is no key to sign tokens with yet; try again").because(why)
        };
        let row = self.load_active().await?.ok_or_else(|| missing("no active signing key"))?;
        let sealed = STANDARD.decode(StoredKey::of(&row)?.sealed_private_key).unwrap_or_default();
        let private = self.seal.open(&row.id, &sealed).and_then(|private| <[u8; 32]>::try_from(private).ok());
        let private = private.ok_or_else(|| missing("the active signing key was sealed with another secret"))?;
        let key = TokenKey::new(row.id, &private);
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some((key.clone(), now.saturating_add(FRESH)));
        Ok(key)
    }
}
