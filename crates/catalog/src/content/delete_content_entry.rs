//! Deletes an entry that no other names.

use pavise_kernel::{Call, Error, Result};

use crate::contract::lookups::content_entry as lookups;
use crate::contract::v1::{ContentEntry, ContentEntryStatus, DeleteContentEntryRequest, ErrorReason};

pub(crate) async fn delete_content_entry(call: &Call, request: DeleteContentEntryRequest) -> Result<ContentEntry> {
    let mut entry: ContentEntry = call.get(&request.content_entry_id).await?;
    call.check_transition(&entry)?;
    let mut unit = call.unit();
    let others: Vec<ContentEntry> = unit.expects_by(lookups::REFERENCE_IDS, &entry.id).await?;
    if let Some(other) = others.iter().find(|other| other.id != entry.id) {
        let message = format!("the entry {} still names this entry", other.id);
        return Err(Error::new(ErrorReason::ContentInUse, message).with("contentEntryId", other.id.clone()));
    }
    entry.set_status(ContentEntryStatus::Deleted);
    let entry = unit.remove(entry)?;
    unit.commit_answer(entry).await
}
