//! Links that are good without a token for some minutes. They hold no personal data that can be read.

use std::time::Duration;

use pavise_kernel::files::{AddressUse, FileKey, Files};
use pavise_kernel::time::{Micros, to_timestamp};
use pavise_kernel::{Call, Error, Result};
use serde::{Deserialize, Serialize};

use super::download::find_content;
use super::named::check_name;
use super::storing::QUARANTINE;
use crate::contract::v1::{ErrorReason, File, FileContainer, FileLink};
use crate::shared::tools::Tools as _;

/// How long a link for an upload is good.
const UPLOAD: Duration = Duration::from_secs(15 * 60);
/// How long a link for a download is good.
const DOWNLOAD: Duration = Duration::from_secs(5 * 60);
/// How long after the last second of a link its upload can be completed.
const GRACE: Duration = Duration::from_secs(15 * 60);

const UPLOADS: &str = "documents.upload";
const COMPLETIONS: &str = "documents.complete";
const DOWNLOADS: &str = "documents.download";

/// The right that a link for an upload gives: to make this file.
#[derive(Debug, Serialize, Deserialize)]
struct UploadGrant {
    file_id: String,
    owner_id: String,
    container: i32,
    resource_id: String,
    name: String,
}

impl From<UploadGrant> for File {
    fn from(grant: UploadGrant) -> Self {
        let UploadGrant { file_id, owner_id, container, resource_id, name } = grant;
        Self { id: file_id, owner_id, container, resource_id, name, ..Self::default() }
    }
}

/// A link by which somebody uploads one file. Whoever asks for it has checked that they may.
///
/// # Errors
/// `INVALID_FIELD` for a name that no file can have, UNAVAILABLE.
pub(crate) async fn link_upload(
    call: &Call,
    owner_id: &str,
    (container, resource_id): (FileContainer, &str),
    name: &str,
) -> Result<FileLink> {
    let name = check_name(name)?;
    let file_id = call.new_id();
    let files = call.find_provided::<Files>()?;
    let key = FileKey::new(QUARANTINE, &file_id)?;
    let direct = files.file_store().sign_address(&key, AddressUse::Upload, UPLOAD).await?;
    let grant = UploadGrant {
        file_id: file_id.clone(),
        owner_id: owner_id.to_owned(),
        container: container.into(),
        resource_id: resource_id.to_owned(),
        name,
    };
    let grant = serde_json::to_string(&grant).map_err(Error::internal)?;
    let address = |purpose: &'static str, path: &str, lifetime: Duration| -> Result<String> {
        let token = call.kernel().seal_grant(purpose, &grant, after(call, lifetime));
        Ok(format!("{}{path}?token={token}", call.tools()?.public_url))
    };
    let (url, complete_url) = match direct {
        Some(url) => (url, address(COMPLETIONS, "/v1/files/upload/complete", UPLOAD + GRACE)?),
        None => (address(UPLOADS, "/v1/files/upload", UPLOAD)?, String::new()),
    };
    Ok(FileLink { file_id, url, complete_url, expires_at: Some(to_timestamp(after(call, UPLOAD))) })
}

/// A link by which somebody downloads one file. Whoever asks for it has checked that they may.
///
/// # Errors
/// `FILE_NOT_AVAILABLE`, UNAVAILABLE.
pub(crate) async fn link_download(call: &Call, file: &File) -> Result<FileLink> {
    let stored = find_content(file)?;
    let files = call.find_provided::<Files>()?;
    let url = match files.file_store().sign_address(&stored.key, AddressUse::Download, DOWNLOAD).await? {
        Some(url) => url,
        None => {
            // A link is for the content that it was made of.
            let token = call.kernel().seal_grant(
                DOWNLOADS,
                &format!("{}\n{}", file.id, file.storage_key),
                after(call, DOWNLOAD),
            );
            format!("{}/v1/files/download?token={token}", call.tools()?.public_url)
        }
    };
    let expires_at = Some(to_timestamp(after(call, DOWNLOAD)));
    Ok(FileLink { file_id: file.id.clone(), url, complete_url: String::new(), expires_at })
}

/// The file that a link for an upload makes.
///
/// # Errors
/// `LINK_NOT_VALID`.
pub(crate) fn open_upload(call: &Call, token: &str) -> Result<File> {
    open_grant(call, UPLOADS, token)
}

/// The file that a finished upload by a link makes.
///
/// # Errors
/// `LINK_NOT_VALID`.
pub(crate) fn open_completion(call: &Call, token: &str) -> Result<File> {
    open_grant(call, COMPLETIONS, token)
}

fn open_grant(call: &Call, purpose: &'static str, token: &str) -> Result<File> {
    let grant = call.kernel().open_grant(purpose, token).ok_or_else(link_error)?;
    let grant: UploadGrant = serde_json::from_str(&grant).map_err(Error::internal)?;
    Ok(grant.into())
}

/// The file that a link downloads.
///
/// # Errors
/// `LINK_NOT_VALID`.
pub(crate) async fn open_download(call: &Call, token: &str) -> Result<File> {
    let grant = call.kernel().open_grant(DOWNLOADS, token).ok_or_else(link_error)?;
    let (file_id, storage_key) = grant.split_once('\n').ok_or_else(link_error)?;
    let file: Option<File> = call.find_unscoped(file_id).await?;
    file.filter(|file| file.storage_key == storage_key).ok_or_else(link_error)
}

/// The refusal of a link.
pub(crate) fn link_error() -> Error {
    Error::new(ErrorReason::LinkNotValid, "the link is not valid any more: ask for another one")
}

fn after(call: &Call, lifetime: Duration) -> Micros {
    call.machine_now().saturating_add(i64::try_from(lifetime.as_micros()).unwrap_or(i64::MAX))
}
