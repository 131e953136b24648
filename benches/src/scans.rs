//! The calls with files that the contract leaves to Rust.

use pavise_kernel::files::{FileKey, Files, StoredFile};
use pavise_kernel::{Call, Download, Error, Result};

use crate::contract::v1::{AddScanRequest, ReadScanRequest, Scan};

/// The folder of the files.
pub(crate) const FOLDER: &str = "scans";

pub(crate) async fn add_scan(call: &Call, request: AddScanRequest) -> Result<Scan> {
    let id = call.new_id();
    let stored = call.store_upload(FOLDER, &id).await?;
    call.create(Scan {
        id,
        name: request.name,
        size: i64::try_from(stored.size).map_err(Error::internal)?,
        sha256: stored.sha256,
        file_key: stored.key.as_str().to_owned(),
        ..Scan::default()
    })
    .await
}

pub(crate) async fn read_scan(call: &Call, request: ReadScanRequest) -> Result<Download> {
    let scan: Scan = call.get(&request.scan_id).await?;
    let size = u64::try_from(scan.size).map_err(Error::internal)?;
    let file = StoredFile { key: FileKey::parse(&scan.file_key)?, size, sha256: scan.sha256 };
    Ok(call.find_provided::<Files>()?.download_file(file, "application/octet-stream", &scan.name))
}
