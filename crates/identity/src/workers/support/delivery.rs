//! The delivery of a notice.

use pavise_kernel::Result;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::table::Table;
use pavise_kernel::worker::{Work, decode_entity};

use crate::contract::v1::identity_service_client::IdentityServiceClient;
use crate::contract::v1::{DeliverNoticeRequest, NoticeStatus};
use crate::shared::notices::HasPosting;

/// Delivers the notice of a journal entry, if it is pending.
///
/// # Errors
/// Those of `DeliverNotice`.
pub(crate) async fn deliver_entry<N: HasPosting>(work: &Work, entry: &JournalEntry) -> Result<()> {
    match decode_entity::<N>(entry)? {
        Some(notice) if notice.head().status == NoticeStatus::Pending.spelling() => {
            deliver_notice(work, N::TABLE, notice.head().id).await
        }
        _ => Ok(()),
    }
}

/// Delivers a notice of a table.
///
/// # Errors
/// Those of `DeliverNotice`.
pub(crate) async fn deliver_notice(work: &Work, table: &Table, id: &str) -> Result<()> {
    let request = DeliverNoticeRequest { notice_id: id.to_owned(), table: table.name.to_owned() };
    IdentityServiceClient::new(work.peer_channel("identity")).deliver_notice(work.new_request(request, id)).await?;
    Ok(())
}
