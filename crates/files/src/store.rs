//! The port over `object_store`.

use std::fmt::Display;
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::{Path as Folder, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use futures::stream::BoxStream;
use futures::{StreamExt as _, stream};
use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::signer::{SignedUrlOptions, Signer as _};
use object_store::{
    GetOptions, GetRange, GetResultPayload, MultipartUpload, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutPayload,
};
use pavise_kernel::bytes::Chunks;
use pavise_kernel::files::{AddressUse, FileKey, FileStore};
use pavise_kernel::time::Micros;
use pavise_kernel::{Error, Result};

/// Bytes that are read from a local file at once.
const BLOCK: usize = 128 << 10;
/// Bytes that are written to a local file at once.
const LOCAL_PART: usize = 256 << 10;
/// The least bytes of a part that S3 takes, but for the last one.
const S3_PART: usize = 5 << 20;

/// Files in a store of objects.
#[derive(Debug)]
pub(crate) struct ObjectFiles {
    store: Arc<dyn ObjectStore>,
    prefix: String,
    /// The folder of a local store, where puts that never ended are found.
    folder: Option<PathBuf>,
    /// The bucket itself, which signs addresses.
    bucket: Option<Arc<AmazonS3>>,
    part: usize,
}

impl ObjectFiles {
    pub(crate) fn folder(store: Arc<dyn ObjectStore>, folder: PathBuf) -> Self {
        Self { store, prefix: String::new(), folder: Some(folder), bucket: None, part: LOCAL_PART }
    }

    pub(crate) fn bucket(bucket: AmazonS3, prefix: &str) -> Self {
        let bucket = Arc::new(bucket);
        let (store, prefix) = (Arc::clone(&bucket), prefix.trim_matches('/').to_owned());
        Self { store, prefix, folder: None, bucket: Some(bucket), part: S3_PART }
    }

    fn path(&self, key: &str) -> Path {
        if self.prefix.is_empty() { Path::from(key) } else { Path::from(format!("{}/{key}", self.prefix)) }
    }
}

#[async_trait]
impl FileStore for ObjectFiles {
    async fn put(&self, key: &FileKey, bytes: Chunks) -> Result<u64> {
        let path = self.path(key.as_str());
        let mut parts = Box::pin(parts(bytes, self.part));
        let first = parts.next().await.transpose()?.unwrap_or_default();
        let Some(second) = parts.next().await.transpose()? else {
            let size = length(&first);
            self.store.put(&path, PutPayload::from(first)).await.map_err(|error| failed(key, error))?;
            return Ok(size);
        };
        let upload = self.store.put_multipart(&path).await.map_err(|error| failed(key, error))?;
        let mut upload = Unfinished(Some(upload));
        let mut size = 0_u64;
        let mut all = stream::iter([Ok(first), Ok(second)]).chain(parts);
        while let Some(part) = all.next().await.transpose()? {
            size = size.saturating_add(length(&part));
            upload.part(part).await.map_err(|error| failed(key, error))?;
        }
        upload.complete().await.map_err(|error| failed(key, error))?;
        Ok(size)
    }

    async fn read(&self, key: &FileKey, range: Range<u64>) -> Result<Chunks> {
        let empty = range.is_empty();
        let range = (!empty).then_some(GetRange::Bounded(range));
        let options = GetOptions { range, head: empty, ..GetOptions::default() };
        let found = self.store.get_opts(&self.path(key.as_str()), options).await.map_err(|error| failed(key, error))?;
        let range = if empty { 0..0 } else { found.range.clone() };
        let key = key.clone();
        Ok(match found.payload {
            _ if empty => Box::pin(stream::empty()),
            GetResultPayload::File(file, _) => blocks(file, range),
            GetResultPayload::Stream(bytes) => {
                Box::pin(bytes.map(move |piece| piece.map_err(|error| failed(&key, error))))
            }
        })
    }

    async fn size(&self, key: &FileKey) -> Result<Option<u64>> {
        match self.store.head(&self.path(key.as_str())).await {
            Ok(meta) => Ok(Some(meta.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed(key, error)),
        }
    }

    async fn delete(&self, key: &FileKey) -> Result<()> {
        match self.store.delete(&self.path(key.as_str())).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(key, error)),
        }
    }

    fn list(&self, folder: &str) -> BoxStream<'static, Result<(FileKey, Micros)>> {
        let found = self.store.list(Some(&self.path(folder)));
        let own = self.path(folder);
        // Another name was not stored here.
        let key = move |meta: &ObjectMeta| {
            let name = meta.location.prefix_match(&own)?.next()?;
            FileKey::new(own.filename().unwrap_or_default(), name.as_ref()).ok()
        };
        let named = move |meta: object_store::Result<ObjectMeta>| match meta {
            Ok(meta) => key(&meta).map(|key| Ok((key, meta.last_modified.timestamp_micros()))),
            Err(object_store::Error::NotFound { .. }) => None,
            Err(error) => Some(Err(Error::unavailable("the store of files", error))),
        };
        found.filter_map(move |meta| std::future::ready(named(meta))).boxed()
    }

    async fn tidy(&self, folder: &str, before: Micros) -> Result<u64> {
        let Some(root) = self.folder.clone() else { return Ok(0) };
        let folder = root.join(folder);
        blocking(move || remove_unfinished(&folder, before)).await
    }

    async fn sign_address(&self, key: &FileKey, usage: AddressUse, lifetime: Duration) -> Result<Option<String>> {
        let Some(bucket) = &self.bucket else { return Ok(None) };
        let path = self.path(key.as_str());
        // A browser saves what it gets there, and shows nothing of it.
        let saved = || SignedUrlOptions::default().with_query([("response-content-disposition", "attachment")]);
        let (method, options) = match usage {
            AddressUse::Upload => ("PUT", SignedUrlOptions::default()),
            AddressUse::Download => ("GET", saved()),
        };
        let method = method.parse().map_err(Error::internal)?;
        let signed = bucket.signed_url_opts(method, &path, lifetime, &options).await;
        Ok(Some(signed.map_err(|error| failed(key, error))?.into()))
    }
}

/// A put of several parts. If it is dropped, its parts are removed.
struct Unfinished(Option<Box<dyn MultipartUpload>>);

impl Unfinished {
    async fn part(&mut self, part: Bytes) -> object_store::Result<()> {
        match &mut self.0 {
            Some(upload) => upload.put_part(PutPayload::from(part)).await,
            None => Ok(()),
        }
    }

    async fn complete(mut self) -> object_store::Result<()> {
        if let Some(upload) = &mut self.0 {
            upload.complete().await?;
        }
        self.0 = None;
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let (Some(mut upload), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current()) else { return };
        runtime.spawn(async move {
            if let Err(error) = upload.abort().await {
                tracing::warn!(cause = %error, "the parts of a file that broke off stay in the store");
            }
        });
    }
}

/// The bytes in parts of that size; the last one may be smaller.
fn parts(bytes: Chunks, size: usize) -> impl futures::Stream<Item = Result<Bytes>> + Send {
    let begun = (bytes, BytesMut::new(), false);
    stream::try_unfold(begun, move |(mut bytes, mut held, mut over)| async move {
        while held.len() < size && !over {
            match bytes.next().await.transpose()? {
                Some(piece) => held.extend_from_slice(&piece),
                None => over = true,
            }
        }
        if held.is_empty() {
            return Ok(None);
        }
        let part = held.split_to(held.len().min(size)).freeze();
        Ok(Some((part, (bytes, held, over))))
    })
}

/// A part of a local file, block by block.
fn blocks(file: File, range: Range<u64>) -> Chunks {
    let file = Arc::new(file);
    Box::pin(stream::try_unfold(range, move |Range { start, end }| {
        let file = Arc::clone(&file);
        async move {
            if start >= end {
                return Ok(None);
            }
            let count = usize::try_from(end.saturating_sub(start)).map_or(BLOCK, |left| left.min(BLOCK));
            let block = blocking(move || {
                let mut block = vec![0; count];
                file.read_exact_at(&mut block, start)?;
                Ok(Bytes::from(block))
            })
            .await?;
            let next = start.saturating_add(length(&block));
            Ok(Some((block, next..end)))
        }
    }))
}

/// Removes the parts of local puts whose process ended. `object_store` writes to `name#1` before it renames.
fn remove_unfinished(folder: &Folder, before: Micros) -> std::io::Result<u64> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let mut count = 0_u64;
    for entry in entries {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().contains('#') {
            continue;
        }
        let age = entry.metadata()?.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        if i64::try_from(age.as_micros()).unwrap_or(i64::MAX) < before {
            std::fs::remove_file(entry.path())?;
            count = count.saturating_add(1);
        }
    }
    Ok(count)
}

/// Work that waits for the disk.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> std::io::Result<T> + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await.map_err(Error::internal)?;
    done.map_err(|error| Error::unavailable("the store of files", error))
}

fn length(bytes: &Bytes) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

fn failed(key: &FileKey, error: impl Into<object_store::Error> + Display) -> Error {
    match error.into() {
        object_store::Error::NotFound { .. } => Error::not_found("file", key.as_str()),
        error => Error::unavailable("the store of files", error),
    }
}
