//! The port of files: bytes that lie beside the database, under keys that records name.
//!
//! Bytes come first and the record second; a record goes first and its bytes second. So no record names bytes that are
//! not there, wherever a process ends. Bytes that no record names are swept when they are a day old.

mod no_store;
mod sweep;

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures::TryStreamExt as _;
use futures::stream::BoxStream;
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::hex::to_hex;
use crate::port::chunks::Chunks;
use crate::time::Micros;

pub use sweep::{FileRecords, SweepOutcome};

/// The age from which a sweep removes what no record names. Whatever is stored is named, or given up, much sooner.
pub const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// The name of a file in the store: a folder, and a name that was never used before.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileKey(String);

impl FileKey {
    /// The key of a new file in `folder`, which belongs to one kind of record.
    ///
    /// # Errors
    /// When either has other characters than small letters, digits, `-` and `_`.
    pub fn new(folder: &str, name: &str) -> Result<Self> {
        let plain = |text: &str| {
            let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
            (1..=100).contains(&text.len()) && text.bytes().all(known)
        };
        if plain(folder) && plain(name) {
            return Ok(Self(format!("{folder}/{name}")));
        }
        Err(Error::internal(format!("{folder:?}, {name:?} are no key of a file")))
    }

    /// The key of a new file of an entity. `unique` was never used before for it.
    ///
    /// # Errors
    /// As [`FileKey::new`].
    pub fn of_entity(folder: &str, id: &str, unique: &str) -> Result<Self> {
        Self::new(folder, &format!("{id}_{unique}"))
    }

    /// The id of the entity whose file it is.
    #[must_use]
    pub fn entity_id(&self) -> Option<&str> {
        let (_, name) = self.0.split_once('/')?;
        name.rsplit_once('_').map(|(id, _)| id)
    }

    /// The key that a record names.
    ///
    /// # Errors
    /// As [`FileKey::new`].
    pub fn parse(text: &str) -> Result<Self> {
        let (folder, name) = text.split_once('/').unwrap_or_default();
        Self::new(folder, name)
    }

    /// The text for a record.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The facts of a stored file, for its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    /// The key.
    pub key: FileKey,
    /// The size in bytes.
    pub size: u64,
    /// The SHA-256 of the content, in lower-case hexadecimal.
    pub sha256: String,
}

/// The use that the holder of an address may make of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressUse {
    /// Send its content, with PUT.
    Upload,
    /// Get its content, with GET.
    Download,
}

/// A store of files. One suite tests each, in the crate `pavise-files`.
#[async_trait]
pub trait FileStore: Send + Sync + fmt::Debug + 'static {
    /// Stores the bytes under a key. The file is there as a whole or not at all, also for those who read meanwhile. When
    /// this function answers, the file survives a loss of power. Answers the size.
    ///
    /// # Errors
    /// The first error of `bytes`, and UNAVAILABLE. Nothing is left then.
    async fn put(&self, key: &FileKey, bytes: Chunks) -> Result<u64>;

    /// The bytes of a part of a file.
    ///
    /// # Errors
    /// NOT_FOUND, UNAVAILABLE.
    async fn read(&self, key: &FileKey, range: Range<u64>) -> Result<Chunks>;

    /// The size of a file; `None` if it is not there.
    ///
    /// # Errors
    /// UNAVAILABLE.
    async fn size(&self, key: &FileKey) -> Result<Option<u64>>;

    /// Removes a file, if it is there.
    ///
    /// # Errors
    /// UNAVAILABLE.
    async fn delete(&self, key: &FileKey) -> Result<()>;

    /// The keys of a folder, in no order, with the times at which they were stored. Files that are removed meanwhile may
    /// be among them. An item may be UNAVAILABLE.
    fn list(&self, folder: &str) -> BoxStream<'static, Result<(FileKey, Micros)>>;

    /// Removes what puts left in a folder that began before that time and never ended. Answers their number.
    ///
    /// # Errors
    /// UNAVAILABLE.
    async fn tidy(&self, folder: &str, before: Micros) -> Result<u64>;

    /// An address of the store itself that is good without a token for that time; `None` if the store has none.
    ///
    /// # Errors
    /// UNAVAILABLE.
    async fn sign_address(&self, key: &FileKey, usage: AddressUse, lifetime: Duration) -> Result<Option<String>> {
        let _ = (key, usage, lifetime);
        Ok(None)
    }
}

/// The files of the platform. A domain has them from `call.provided::<Files>()`.
#[derive(Debug, Clone)]
pub struct Files(Arc<dyn FileStore>);

impl Files {
    /// Files in that store.
    #[must_use]
    pub fn new(store: Arc<dyn FileStore>) -> Self {
        Self(store)
    }

    /// The store itself.
    #[must_use]
    pub fn file_store(&self) -> &dyn FileStore {
        &*self.0
    }

    /// Stores a file. Its record is committed afterwards. A caller who leaves meanwhile leaves nothing.
    ///
    /// # Errors
    /// The first error of `bytes`, and UNAVAILABLE.
    pub async fn put_file(&self, key: FileKey, bytes: Chunks) -> Result<StoredFile> {
        let digest = FileDigest::default();
        let size = self.0.put(&key, digest.follow(bytes)).await?;
        Ok(StoredFile { key, size, sha256: digest.finish() })
    }

    /// Reads a file to its end and stores nothing, for a call that only validates.
    ///
    /// # Errors
    /// The first error of `bytes`.
    pub async fn measure_file(key: FileKey, bytes: Chunks) -> Result<StoredFile> {
        let digest = FileDigest::default();
        let sizes = digest.follow(bytes).map_ok(|chunk| u64::try_from(chunk.len()).unwrap_or(u64::MAX));
        let size = sizes.try_fold(0_u64, async |sum, size| Ok(sum.saturating_add(size))).await?;
        Ok(StoredFile { key, size, sha256: digest.finish() })
    }

    /// Removes a file whose record is gone.
    ///
    /// # Errors
    /// UNAVAILABLE.
    pub async fn delete(&self, key: &FileKey) -> Result<()> {
        self.0.delete(key).await
    }
}

/// The digest of bytes that pass.
#[derive(Clone, Default)]
struct FileDigest(Arc<Mutex<Sha256>>);

impl FileDigest {
    fn follow(&self, bytes: Chunks) -> Chunks {
        let own = self.clone();
        Box::pin(bytes.inspect_ok(move |chunk| own.lock().update(chunk)))
    }

    fn finish(&self) -> String {
        to_hex(&self.lock().clone().finalize())
    }

    fn lock(&self) -> MutexGuard<'_, Sha256> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_leads_nowhere_else() {
        assert_eq!(FileKey::parse("imports/0190-a_b").unwrap().as_str(), "imports/0190-a_b");
        for bad in ["", "imports", "/x", "imports/", "imports/..", "imports/a/b", "Imports/a", "imports/a#1", "i/a b"] {
            assert!(FileKey::parse(bad).is_err(), "{bad}");
        }
    }
}
