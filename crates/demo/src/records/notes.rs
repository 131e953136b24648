//! Notes of the demonstration's staff on members. They are written as documents, because a note's author is its caller, and
//! the demonstration calls as the platform.

use anyhow::Context as _;
use pavise_identity::demo::by_name;
use pavise_kernel::store::{StoredRow, Write};
use pavise_kernel::time::{Ids, to_timestamp};
use pavise_kernel::worker::Work;
use pavise_members_client::v1::{NotePriority, NoteSubjectType};
use serde_json::json;

use super::member::Member;
use crate::bulk;

/// The table of the notes.
const NOTE_TABLE: &str = "notes";
/// The author.
const STAFF: &str = "staff@demo.pavise.example";
/// The time between a sign-up and the first note, and between two notes. The members signed up some seconds ago, and no note
/// is from the future.
const LATER: i64 = 100_000;
/// The number of a member, and a note on them.
const NOTES: [(u32, NoteSubjectType, NotePriority, &str); 8] = [
    (0, NoteSubjectType::Unspecified, NotePriority::Medium, "Prefers to be written to, not called."),
    (0, NoteSubjectType::Entitlement, NotePriority::High, "Asks each spring for the contract: send it by mail."),
    (0, NoteSubjectType::ContactLog, NotePriority::Low, "Wanted to know whether the child is covered. She is."),
    (3, NoteSubjectType::ContactLog, NotePriority::High, "The bank sent a new card. Will pay with it this week."),
    (4, NoteSubjectType::Entitlement, NotePriority::Low, "Moved abroad, and left on good terms."),
    (5, NoteSubjectType::Branch, NotePriority::Medium, "Was content with the branch in Dallas."),
    (17, NoteSubjectType::Unspecified, NotePriority::High, "Two businesses: ask which one it is about."),
    (29, NoteSubjectType::ContactLog, NotePriority::Medium, "Asked how to add a partner to the plan."),
];

/// Writes the notes on a member.
pub(super) async fn load(work: &Work, member: &Member) -> anyhow::Result<()> {
    let wanted: Vec<_> = (1_i64..).zip(NOTES).filter(|(_, (number, ..))| *number == member.number).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let Some(staff) = by_name(work, STAFF).await? else { return Ok(()) };
    let tables = work.kernel().tables();
    let table = tables.iter().find(|entry| entry.table.name == NOTE_TABLE).context("there is no table of notes")?.table;
    for (place, (_, subject_type, priority, text)) in wanted {
        let subject = match subject_type {
            NoteSubjectType::Entitlement => member.plan.as_ref().map(|plan| plan.id.clone()),
            NoteSubjectType::Branch => Some("dallas".to_owned()),
            NoteSubjectType::ContactLog | NoteSubjectType::Unspecified => Some(String::new()),
        };
        let Some(subject_id) = subject else { continue };
        let at = member.since + place * LATER;
        let moment = to_timestamp(at).to_string();
        let id = Ids::from_seed(place.unsigned_abs()).next(at);
        let mut doc = json!({
            "id": id, "ownerId": member.id, "status": "ACTIVE", "version": "1", "createdAt": moment, "updatedAt": moment,
            "authorId": staff.id, "text": text, "priority": priority.spelling(),
        });
        if let Some(doc) = doc.as_object_mut() {
            if subject_type != NoteSubjectType::Unspecified {
                doc.insert("subjectType".to_owned(), json!(subject_type.spelling()));
            }
            if !subject_id.is_empty() {
                doc.insert("subjectId".to_owned(), json!(subject_id));
            }
            if subject_type == NoteSubjectType::ContactLog {
                let contact = json!({"channel": "PHONE", "direction": "INBOUND", "at": moment, "outcome": "RESOLVED"});
                doc.insert("contact".to_owned(), contact);
            }
        }
        let (status, owner_id, doc) = ("ACTIVE".to_owned(), member.id.clone(), doc.to_string());
        let row =
            StoredRow { id, owner_id, status, version: 1, created_at: at, updated_at: at, doc, ..StoredRow::default() };
        let action = pavise_members_client::actions::note::CREATED.to_owned();
        let write = Write { table, row, expected: None, removed: false, action, lookups: Vec::new() };
        bulk::commit(work.kernel(), table.journal, vec![write]).await?;
    }
    Ok(())
}
