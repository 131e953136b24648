//! Data keys: where they are kept, and which of them this process has opened.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::cipher::{DataKey, MasterKeys};
use crate::error::{Common, Error, Result};
use crate::port::key_store::{KeyStore, WrappedKey};
use crate::port::store::StoreError;
use crate::time::{Clock, Ids, Micros};

/// How long an opened key is used before the key database is asked again: a destroyed key opens nothing after that.
const FRESH: Duration = Duration::from_secs(5 * 60);
/// Destroyed keys that are read at once.
const DESTROYED_PAGE: u32 = 1_000;
/// The opened keys that a process keeps.
const KEPT: usize = 50_000;

/// An entry of the key database, opened.
#[derive(Clone)]
pub(super) enum FoundKey {
    Key(Arc<DataKey>),
    Destroyed,
}

/// The data keys, opened by the master keys.
pub struct Keys {
    pub(super) store: Arc<dyn KeyStore>,
    pub(super) masters: MasterKeys,
    pub(super) ids: Ids,
    clock: Arc<dyn Clock>,
    opened: Mutex<HashMap<String, (FoundKey, Instant)>>,
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keys").field("store", &self.store).field("masters", &self.masters).finish_non_exhaustive()
    }
}

impl Keys {
    /// The keys in a key database.
    #[must_use]
    pub fn new(store: Arc<dyn KeyStore>, masters: MasterKeys, ids: Ids, clock: Arc<dyn Clock>) -> Self {
        Self { store, masters, ids, clock, opened: Mutex::default() }
    }

    /// Closes the key database when its process ends.
    pub async fn close_store(&self) {
        self.store.close().await;
    }

    /// The keys with these names, in one question for those that are not opened here. Names without a key are left out.
    pub(super) async fn fetch(&self, names: &BTreeSet<String>) -> Result<HashMap<String, FoundKey>> {
        let mut found = HashMap::with_capacity(names.len());
        let mut asked = Vec::new();
        {
            let (opened, now) = (self.opened(), Instant::now());
            for name in names {
                match opened.get(name) {
                    Some((key, until)) if now < *until => _ = found.insert(name.clone(), key.clone()),
                    _ => asked.push(name.clone()),
                }
            }
        }
        if asked.is_empty() {
            return Ok(found);
        }
        let until = Instant::now() + FRESH;
        for key in self.store.keys(&asked).await.map_err(unanswered)? {
            found.insert(key.name.clone(), self.keep(&key, until)?);
        }
        Ok(found)
    }

    /// The keys with these names. Missing ones are made, and are durable then.
    pub(super) async fn fetch_or_make(&self, names: &BTreeSet<String>) -> Result<HashMap<String, FoundKey>> {
        let found = self.fetch(names).await?;
        let missing: Vec<&String> = names.iter().filter(|name| !found.contains_key(*name)).collect();
        if missing.is_empty() {
            return Ok(found);
        }
        let made: Option<Vec<WrappedKey>> = missing.into_iter().map(|name| self.make(name)).collect();
        let made = made.ok_or_else(|| Error::internal("a key could not be wrapped"))?;
        self.store.add(&made).await.map_err(unanswered)?;
        // Another process may have been faster: what the key database has counts.
        self.fetch(names).await
    }

    /// The key database.
    #[must_use]
    pub fn key_store(&self) -> &Arc<dyn KeyStore> {
        &self.store
    }

    /// The names of the destroyed keys and the times of their erasure.
    ///
    /// # Errors
    /// When the key database does not answer.
    pub async fn list_destroyed(&self) -> Result<Vec<(String, Micros)>> {
        let (mut all, mut after) = (Vec::new(), String::new());
        loop {
            let page = self.store.destroyed(&after, DESTROYED_PAGE).await.map_err(unanswered)?;
            let Some(last) = page.last() else { return Ok(all) };
            after.clone_from(&last.name);
            all.extend(page.into_iter().map(|key| (key.name, key.at)));
        }
    }

    /// Makes the keys with these names that are missing.
    ///
    /// # Errors
    /// When the key database does not answer.
    pub async fn make_keys(&self, names: &[String]) -> Result<()> {
        self.fetch_or_make(&names.iter().cloned().collect()).await.map(drop)
    }

    fn make(&self, name: &str) -> Option<WrappedKey> {
        let mut bytes = [0; 32];
        self.ids.fill_random(&mut bytes);
        self.masters.wrap(name, &bytes, &self.ids, self.clock.now())
    }

    /// Destroys the keys with these names for good.
    ///
    /// # Errors
    /// When the key database does not answer.
    pub async fn destroy_keys(&self, names: &[String]) -> Result<()> {
        self.store.destroy(names, self.clock.now()).await.map_err(unanswered)?;
        let mut opened = self.opened();
        for name in names {
            opened.remove(name);
        }
        Ok(())
    }

    fn keep(&self, key: &WrappedKey, until: Instant) -> Result<FoundKey> {
        let found = if key.is_destroyed() {
            FoundKey::Destroyed
        } else {
            let bytes = self.masters.unwrap(key);
            let bytes = bytes.ok_or_else(|| {
                let message = "another key secret has wrapped this key: set it as --key-secret-also";
                Error::new(Common::NotConfigured, message).with("setting", "key-secret-also")
            })?;
            FoundKey::Key(Arc::new(DataKey::new(&bytes)))
        };
        let mut opened = self.opened();
        if opened.len() >= KEPT {
            let now = Instant::now();
            opened.retain(|_, (_, until)| now < *until);
            if opened.len() >= KEPT {
                opened.clear();
            }
        }
        opened.insert(key.name.clone(), (found.clone(), until));
        Ok(found)
    }

    fn opened(&self) -> MutexGuard<'_, HashMap<String, (FoundKey, Instant)>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn unanswered(error: StoreError) -> Error {
    Error::unavailable("the key database", error)
}
