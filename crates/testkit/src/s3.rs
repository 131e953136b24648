//! A server of S3 with one bucket, on this machine.

use std::path::PathBuf;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The name of the bucket.
pub const BUCKET: &str = "bucket";
/// The id of the only key.
pub const KEY_ID: &str = "key";
/// The secret of that key.
pub const KEY_SECRET: &str = "secret";

/// A server, which ends with the test.
#[derive(Debug)]
pub struct S3Server {
    folder: TempDir,
    address: String,
    serving: JoinHandle<()>,
}

impl S3Server {
    /// Serves an empty bucket.
    ///
    /// # Errors
    /// When there is no folder or no port for it.
    pub async fn start() -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        std::fs::create_dir(folder.path().join(BUCKET))?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = format!("http://{}", listener.local_addr()?);
        let files = FileSystem::new(folder.path()).map_err(|error| anyhow::anyhow!("{error:?}"))?;
        let mut builder = S3ServiceBuilder::new(files);
        builder.set_auth(SimpleAuth::from_single(KEY_ID, KEY_SECRET));
        let service = builder.build();
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let service = service.clone();
                tokio::spawn(async move {
                    let _ = Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
                });
            }
        });
        Ok(Self { folder, address, serving })
    }

    /// Its address: `http://127.0.0.1:…`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The file in which the server keeps the object of that key.
    #[must_use]
    pub fn object_path(&self, key: &str) -> PathBuf {
        self.folder.path().join(BUCKET).join(key)
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
