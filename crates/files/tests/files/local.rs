//! The local folder.

use futures::{StreamExt as _, stream};

use crate::suite::{self, content, key};

struct Nobody;

#[pavise_kernel::async_trait]
impl pavise_kernel::files::FileRecords for Nobody {
    async fn named(
        &self,
        _: &[pavise_kernel::files::FileKey],
    ) -> pavise_kernel::Result<std::collections::HashSet<pavise_kernel::files::FileKey>> {
        Ok(std::collections::HashSet::new())
    }
}

#[tokio::test]
async fn a_folder_is_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let files = pavise_files::open(folder.path().join("files").to_str().unwrap()).unwrap();
    suite::all(&files).await;
}

#[tokio::test]
async fn what_a_killed_put_left_is_swept_and_never_seen() {
    let folder = tempfile::tempdir().unwrap();
    let files = pavise_files::open(folder.path().to_str().unwrap()).unwrap();
    // A process that ends without warning leaves the file that the put wrote to.
    let (_, chunks) = content(1 << 20, 100_000);
    let mut put = Box::pin(files.put_file(key("killed"), Box::pin(chunks.chain(stream::pending()))));
    let things = folder.path().join("things");
    let names = || std::fs::read_dir(&things).map(|all| all.map(|one| one.unwrap().file_name()).collect::<Vec<_>>());
    while names().map_or(0, |names| names.len()) == 0 {
        assert!(futures::poll!(put.as_mut()).is_pending());
        tokio::task::yield_now().await;
    }
    assert_eq!(names().unwrap(), ["killed#1"]);
    std::mem::forget(put);
    assert_eq!(files.file_store().size(&key("killed")).await.unwrap(), None);
    assert_eq!(files.sweep_before("things", 0, &Nobody).await.unwrap().unfinished, 0);
    let swept = files.sweep_before("things", i64::MAX, &Nobody).await.unwrap();
    assert_eq!((swept.unfinished, swept.seen), (1, 0));
    assert!(names().unwrap().is_empty());
}
