//! The place of the files, as the settings name it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use pavise_kernel::files::Files;
use url::Url;

use crate::store::ObjectFiles;

/// The files at a place: a folder, which is made if it is missing, or `s3://bucket/prefix`. The keys, the region and the
/// address of S3 come from the variables of AWS: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION` and
/// `AWS_ENDPOINT_URL`. Without keys, the role of the machine counts.
///
/// # Errors
/// When the folder cannot be made, or the address cannot be read.
pub fn open(place: &str) -> anyhow::Result<Files> {
    let Some(rest) = place.strip_prefix("s3://") else {
        anyhow::ensure!(!place.contains("://"), "files are kept in a folder or at s3://bucket/prefix");
        return open_folder(Path::new(place));
    };
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let endpoint = std::env::var("AWS_ENDPOINT_URL").ok();
    open_s3(bucket, prefix, endpoint.as_deref(), None)
}

/// The keys of an account of S3.
pub struct S3Keys {
    /// The id of the key.
    pub id: String,
    /// The secret.
    pub secret: String,
}

impl fmt::Debug for S3Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("S3Keys").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The files in a bucket of the service at `endpoint`, or of AWS. Without keys, the variables of AWS count.
///
/// # Errors
/// When the address cannot be read.
pub fn open_s3(bucket: &str, prefix: &str, endpoint: Option<&str>, keys: Option<S3Keys>) -> anyhow::Result<Files> {
    anyhow::ensure!(!bucket.is_empty(), "name a bucket: s3://bucket/prefix");
    // One provider of TLS for all of the process. Another part may have chosen the same one before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = AmazonS3Builder::from_env().with_bucket_name(bucket);
    if let Some(keys) = keys {
        builder = builder.with_access_key_id(keys.id).with_secret_access_key(keys.secret);
    }
    if let Some(endpoint) = endpoint {
        let url = Url::parse(endpoint).with_context(|| format!("{endpoint} is no address of S3"))?;
        builder = builder.with_endpoint(endpoint).with_allow_http(url.scheme() == "http");
    }
    let store = builder.build().context("the bucket cannot be used")?;
    Ok(Files::new(Arc::new(ObjectFiles::bucket(store, prefix))))
}

/// The files in a folder, which is made if it is missing.
///
/// # Errors
/// When the folder cannot be made.
pub fn open_folder(folder: &Path) -> anyhow::Result<Files> {
    std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let folder = folder.canonicalize()?;
    let store = LocalFileSystem::new_with_prefix(&folder)?.with_fsync(true);
    Ok(Files::new(Arc::new(ObjectFiles::folder(Arc::new(store), folder))))
}
