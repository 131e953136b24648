//! The suite that every store of files passes.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use pavise_kernel::bytes::Chunks;
use pavise_kernel::files::{FileKey, FileRecords, Files};
use pavise_kernel::{Common, Error, Result, async_trait};

/// The end of all time.
const LATER: i64 = i64::MAX;

pub(crate) fn key(name: &str) -> FileKey {
    FileKey::new("things", name).unwrap()
}

/// Bytes that differ from place to place, in pieces of that size.
pub(crate) fn content(size: usize, piece: usize) -> (Vec<u8>, Chunks) {
    let bytes: Vec<u8> = (0..size).map(|at| u8::try_from((at * 7 + at / 251) % 256).unwrap()).collect();
    let pieces: Vec<Result<Bytes>> = bytes.chunks(piece).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
    (bytes, Box::pin(stream::iter(pieces)))
}

pub(crate) async fn read(files: &Files, key: &FileKey, from: u64, until: u64) -> Vec<u8> {
    let chunks = files.file_store().read(key, from..until).await.unwrap();
    chunks.try_collect::<Vec<Bytes>>().await.unwrap().concat()
}

struct Names(Vec<FileKey>);

#[async_trait]
impl FileRecords for Names {
    async fn named(&self, keys: &[FileKey]) -> Result<HashSet<FileKey>> {
        Ok(keys.iter().filter(|key| self.0.contains(key)).cloned().collect())
    }
}

pub(crate) async fn all(files: &Files) {
    a_file_is_read_as_it_was_put(files).await;
    a_broken_put_leaves_nothing(files).await;
    a_reader_sees_all_or_nothing(files).await;
    a_sweep_removes_what_no_record_names(files).await;
}

async fn a_file_is_read_as_it_was_put(files: &Files) {
    // Less than a part of any store, and more than two.
    for (at, size) in [0, 1, 300_000, 11 << 20].into_iter().enumerate() {
        let key = key(&format!("whole-{at}"));
        let (bytes, chunks) = content(size, 60_001);
        let stored = files.put_file(key.clone(), chunks).await.unwrap();
        let whole = u64::try_from(size).unwrap();
        assert_eq!((stored.size, stored.sha256.len()), (whole, 64));
        assert_eq!(files.file_store().size(&key).await.unwrap(), Some(whole));
        assert!(read(files, &key, 0, whole).await == bytes, "{size} bytes");
        for round in 0..50_u64 {
            let from = round * 7919 % (whole + 1);
            let until = (from + round * 104_729 % 200_000).min(whole);
            let part = &bytes[usize::try_from(from).unwrap()..usize::try_from(until).unwrap()];
            assert!(read(files, &key, from, until).await == part, "{from}..{until} of {size}");
        }
    }
    let missing = key("missing");
    assert_eq!(files.file_store().size(&missing).await.unwrap(), None);
    assert!(files.file_store().read(&missing, 0..1).await.err().unwrap().is(Common::NotFound));
    files.delete(&missing).await.unwrap();
}

async fn a_broken_put_leaves_nothing(files: &Files) {
    for size in [1000, 7 << 20] {
        let (_, chunks) = content(size, 50_000);
        let broken = chunks.chain(stream::iter([Err(Error::internal("it breaks off"))]));
        let key = key("broken");
        files.put_file(key.clone(), Box::pin(broken)).await.unwrap_err();
        assert_eq!(files.file_store().size(&key).await.unwrap(), None);
    }
}

async fn a_reader_sees_all_or_nothing(files: &Files) {
    let key = key("seen");
    let (sent, store) = (Arc::new(AtomicUsize::new(0)), files.clone());
    let (_, chunks) = content(7 << 20, 1 << 20);
    let (own, looked) = (key.clone(), Arc::clone(&sent));
    let watched = chunks.then(move |piece| {
        looked.fetch_add(1, Ordering::Relaxed);
        let (store, own) = (store.clone(), own.clone());
        async move {
            assert_eq!(store.file_store().size(&own).await.unwrap(), None, "half a file is seen");
            piece
        }
    });
    files.put_file(key.clone(), Box::pin(watched)).await.unwrap();
    assert_eq!((sent.load(Ordering::Relaxed), files.file_store().size(&key).await.unwrap()), (7, Some(7 << 20)));
}

async fn a_sweep_removes_what_no_record_names(files: &Files) {
    let (named, orphan) = (key("named"), key("orphan"));
    for key in [&named, &orphan] {
        files.put_file(key.clone(), content(10, 10).1).await.unwrap();
    }
    let other = FileKey::new("others", "orphan").unwrap();
    files.put_file(other.clone(), content(10, 10).1).await.unwrap();
    let young = files.sweep_before("things", 0, &Names(Vec::new())).await.unwrap();
    assert_eq!(young.orphans, 0, "a young file may get its record yet");
    let swept = files.sweep_before("things", LATER, &Names(vec![named.clone()])).await.unwrap();
    assert!(swept.orphans >= 1 && swept.seen > swept.orphans, "{swept:?}");
    assert_eq!(files.file_store().size(&orphan).await.unwrap(), None);
    assert_eq!(files.file_store().size(&named).await.unwrap(), Some(10));
    assert_eq!(files.file_store().size(&other).await.unwrap(), Some(10), "another folder is another's");
    let again = files.sweep_before("things", LATER, &Names(vec![named])).await.unwrap();
    assert_eq!((again.seen, again.orphans), (1, 0));
}
