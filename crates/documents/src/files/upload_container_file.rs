//! Stores a file, or the new content of one.

use pavise_kernel::{Call, Error, Result};

use super::support::named::{check_name, is_kept, name_key};
use super::support::storing::{give_up, is_of_members, is_of_platform, store_content};
use crate::contract::actions::file as actions;
use crate::contract::lookups::file as lookups;
use crate::contract::v1::{ErrorReason, File, UploadContainerFileRequest};

pub(crate) async fn upload_container_file(call: &Call, request: UploadContainerFileRequest) -> Result<File> {
    let wanted = build_file(call, &request)?;
    let before = find_same(call, &wanted).await?;
    let id = before.as_ref().map_or_else(|| call.new_id(), |before| before.id.clone());
    let stored = store_content(call, File { id, ..wanted }, call.take_upload()?.into_chunks()).await?;
    let storage_key = stored.storage_key.clone();
    let committed = commit(call, stored).await;
    match &committed {
        // A repeat of the call was answered with what the first one stored.
        Ok(file) if file.storage_key != storage_key => give_up(call, &storage_key).await,
        Err(error) if !error.is_transient() => give_up(call, &storage_key).await,
        _ => {}
    }
    committed
}

fn build_file(call: &Call, request: &UploadContainerFileRequest) -> Result<File> {
    let (container, is_staff) = (request.container(), call.has_role("STAFF"));
    if !is_staff && !is_of_members(container) {
        return Err(Error::field("container", "is one that staff keep files in"));
    }
    let owner_id = if is_staff { request.owner_id.clone() } else { call.owner().to_owned() };
    if owner_id.is_empty() && !is_of_platform(container) {
        return Err(Error::field("owner_id", "a file of this container belongs to somebody: name the owner"));
    }
    let name = check_name(&request.name)?;
    Ok(File {
        owner_id,
        name,
        container: request.container,
        resource_id: request.resource_id.clone(),
        delete_after: request.delete_after,
        ..File::default()
    })
}

/// The file of the same name and owner, which gets the new content.
async fn find_same(call: &Call, wanted: &File) -> Result<Option<File>> {
    let found = call.unit().expects_by::<File>(lookups::NAME_KEY, &key_of(wanted)).await?;
    Ok(found.into_iter().find(|file| is_kept(file) && file.owner_id == wanted.owner_id))
}

async fn commit(call: &Call, stored: File) -> Result<File> {
    let mut unit = call.unit();
    let found = unit.expects_by::<File>(lookups::NAME_KEY, &key_of(&stored)).await?;
    let before = found.into_iter().find(|file| is_kept(file) && file.owner_id == stored.owner_id);
    let file = match before {
        None => unit.create(stored)?,
        Some(before) if before.legal_hold => {
            return Err(Error::new(ErrorReason::LegalHold, "the file is on hold and keeps its content"));
        }
        Some(before) => {
            let File { content_type, size, sha256, storage_key, status, .. } = stored;
            let delete_after = stored.delete_after.or(before.delete_after);
            let status_reason = String::new();
            let kept = before.clone();
            let after = File { content_type, size, sha256, storage_key, status, delete_after, status_reason, ..kept };
            unit.update_as(&before, after, actions::UPDATE)?
        }
    };
    unit.commit_answer(file).await
}

fn key_of(file: &File) -> String {
    name_key(file.container(), &file.resource_id, &file.name)
}
