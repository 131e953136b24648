//! Notes of staff on members.

use pavise_kernel::Result;
use pavise_kernel::common::v1::GetMaxClockRequest;
use pavise_kernel::time::{MINUTE, to_timestamp};
use pavise_members::contract::v1::*;

use super::scene::{OUTSIDERS, PLATFORM, STAFF, Scene, fields, into_answer, refusal_reason, request_by, scenes};

/// Staff who write notes and moderate none.
const SUE: &str = "Internal/sue/+members.notes.read/+members.notes.write/+members.notes.delete";
const TOM: &str = "Internal/tom/+members.notes.read/+members.notes.write/+members.notes.delete";
/// The gRPC path of the journal.
const JOURNAL: &str = "/pavise.members.v1.NoteService/ReadJournal";

fn about(text: &str) -> CreateNoteRequest {
    CreateNoteRequest { identity_id: "alice".into(), text: text.into(), ..CreateNoteRequest::default() }
}

fn call_with_alice() -> NoteContact {
    NoteContact {
        channel: NoteContactChannel::Phone.into(),
        direction: NoteContactDirection::Inbound.into(),
        at: None,
        outcome: NoteContactOutcome::ToFollowUp.into(),
    }
}

async fn write(scene: &Scene, who: &str, request: CreateNoteRequest) -> Result<Note> {
    into_answer(scene.notes().create_note(request_by(who, request)).await)
}

async fn read(scene: &Scene, who: &str, note: &str) -> Result<Note> {
    into_answer(scene.notes().get_note(request_by(who, GetNoteRequest { note_id: note.into() })).await)
}

async fn list(scene: &Scene, who: &str, request: ListNotesRequest) -> Result<Vec<String>> {
    let page = into_answer(scene.notes().list_notes(request_by(who, request)).await)?;
    Ok(page.notes.into_iter().map(|note| note.text).collect())
}

async fn edit(scene: &Scene, who: &str, note: &Note, text: &str, contact: Option<NoteContact>) -> Result<Note> {
    let request = UpdateNoteRequest { note_id: note.id.clone(), text: text.into(), contact };
    into_answer(scene.notes().update_note(request_by(who, request)).await)
}

async fn rank(scene: &Scene, who: &str, note: &Note, priority: NotePriority) -> Result<Note> {
    let request = UpdateNotePriorityRequest { note_id: note.id.clone(), priority: priority.into() };
    into_answer(scene.notes().update_note_priority(request_by(who, request)).await)
}

async fn remove(scene: &Scene, who: &str, note: &Note) -> Result<Note> {
    into_answer(scene.notes().delete_note(request_by(who, DeleteNoteRequest { note_id: note.id.clone() })).await)
}

async fn give(scene: &Scene, who: &str, note: &Note, from: &str, to: &str) -> Result<Note> {
    let request =
        ChangeNoteOwnerRequest { note_id: note.id.clone(), identity_id: from.into(), new_owner_id: to.into() };
    into_answer(scene.notes().change_note_owner(request_by(who, request)).await)
}

fn of_alice() -> ListNotesRequest {
    ListNotesRequest { identity_id: "alice".into(), ..ListNotesRequest::default() }
}

/// Rules 48 to 51: the journal and its highest clock; rules 398 and 401: priorities and subjects.
#[tokio::test]
async fn staff_write_find_edit_and_remove_notes() {
    for scene in scenes().await {
        let general = write(&scene, SUE, about("  Called back. ")).await.unwrap();
        assert_eq!((general.text.as_str(), general.owner_id.as_str()), ("Called back.", "alice"));
        assert_eq!((general.author_id.as_str(), general.priority()), ("sue", NotePriority::Medium));
        let plan = CreateNoteRequest {
            subject_type: NoteSubjectType::Entitlement.into(),
            subject_id: "alice's plan".into(),
            priority: NotePriority::High.into(),
            ..about("Asks for the contract.")
        };
        write(&scene, TOM, plan).await.unwrap();
        let branch = CreateNoteRequest {
            subject_type: NoteSubjectType::Branch.into(),
            subject_id: "dallas".into(),
            ..about("Prefers Dallas.")
        };
        write(&scene, TOM, branch).await.unwrap();
        let log = CreateNoteRequest {
            subject_type: NoteSubjectType::ContactLog.into(),
            contact: Some(call_with_alice()),
            ..about("Wants to be called at noon.")
        };
        let log = write(&scene, SUE, log).await.unwrap();
        assert_eq!(log.contact.unwrap().at, Some(scene.now()), "a contact without a time was now");
        write(&scene, SUE, CreateNoteRequest { identity_id: "bob".into(), ..about("Of Bob.") }).await.unwrap();
        let newest = ["Wants to be called at noon.", "Prefers Dallas.", "Asks for the contract.", "Called back."];
        assert_eq!(list(&scene, STAFF, of_alice()).await.unwrap(), newest);
        let only = |subject: NoteSubjectType| ListNotesRequest { subject_type: subject.into(), ..of_alice() };
        assert_eq!(list(&scene, STAFF, only(NoteSubjectType::ContactLog)).await.unwrap(), newest[..1]);
        let dallas = ListNotesRequest { subject_id: "dallas".into(), ..of_alice() };
        assert_eq!(list(&scene, STAFF, dallas).await.unwrap(), newest[1..2]);
        let high = ListNotesRequest { priority: NotePriority::High.into(), ..of_alice() };
        assert_eq!(list(&scene, STAFF, high).await.unwrap(), newest[2..3]);
        let counted = ListNotesRequest { show_total: true, page_size: 1, ..of_alice() };
        let page = scene.notes().list_notes(request_by(STAFF, counted)).await.unwrap().into_inner();
        assert_eq!((page.total_size, page.next_page_token.is_empty()), (4, false));

        let edited = edit(&scene, SUE, &log, "Called at noon.", None).await.unwrap();
        assert_eq!((edited.contact, edited.edited_at), (log.contact, Some(scene.now())), "the contact stays");
        let resolved = NoteContact { outcome: NoteContactOutcome::Resolved.into(), ..call_with_alice() };
        let edited = edit(&scene, SUE, &log, "Called at noon.", Some(resolved)).await.unwrap();
        assert_eq!(edited.contact.unwrap().outcome(), NoteContactOutcome::Resolved);
        assert_eq!(rank(&scene, SUE, &general, NotePriority::Low).await.unwrap().priority(), NotePriority::Low);
        remove(&scene, SUE, &general).await.unwrap();
        assert_eq!(refusal_reason(read(&scene, STAFF, &general.id).await), "NOT_FOUND");
        assert_eq!(list(&scene, STAFF, of_alice()).await.unwrap().len(), 3);
        let made = ["CREATED"; 5].into_iter();
        let expected: Vec<_> = made.chain(["UPDATED", "UPDATED", "PRIORITY_UPDATED", "DELETED"]).collect();
        assert_eq!(scene.actions(JOURNAL).await, expected);
        let clock = scene.notes().get_max_clock(request_by(STAFF, GetMaxClockRequest {})).await.unwrap().into_inner();
        assert_eq!(clock.max_clock, 9);
    }
}

#[tokio::test]
async fn a_note_names_what_it_is_about_and_nothing_else() {
    for scene in scenes().await {
        let with = |subject: NoteSubjectType, id: &str, contact: Option<NoteContact>| CreateNoteRequest {
            subject_type: subject.into(),
            subject_id: id.into(),
            contact,
            ..about("Called back.")
        };
        let contact = || Some(call_with_alice());
        let tomorrow = Some(to_timestamp(pavise_kernel::time::to_micros(&scene.now()) + 24 * 60 * MINUTE));
        let future = Some(NoteContact { at: tomorrow, ..call_with_alice() });
        let vague = Some(NoteContact { outcome: 0, ..call_with_alice() });
        let cases = [
            (with(NoteSubjectType::Entitlement, "", None), "subject_id"),
            (with(NoteSubjectType::Entitlement, "bob's plan", None), "subject_id"),
            (with(NoteSubjectType::Entitlement, "nothing", None), "subject_id"),
            (with(NoteSubjectType::Branch, "", None), "subject_id"),
            (with(NoteSubjectType::Unspecified, "alice's plan", None), "subject_id"),
            (with(NoteSubjectType::ContactLog, "alice's plan", contact()), "subject_id"),
            (with(NoteSubjectType::ContactLog, "", None), "contact"),
            (with(NoteSubjectType::Branch, "dallas", contact()), "contact"),
            (with(NoteSubjectType::ContactLog, "", future), "contact.at"),
            (with(NoteSubjectType::ContactLog, "", vague), "contact.outcome"),
            (CreateNoteRequest { text: " \n".into(), ..about("") }, "text"),
            (about(&"x".repeat(10_001)), "text"),
        ];
        for (request, field) in cases {
            assert_eq!(fields(write(&scene, STAFF, request.clone()).await), [field], "{request:?}");
        }
        let longest = write(&scene, STAFF, about(&"x".repeat(10_000))).await.unwrap();
        assert_eq!(fields(edit(&scene, STAFF, &longest, "Called.", contact()).await), ["contact"], "it is no log");
        assert_eq!(fields(rank(&scene, STAFF, &longest, NotePriority::Unspecified).await), ["priority"]);
    }
}

#[tokio::test]
async fn only_the_author_or_a_moderator_changes_a_note() {
    for scene in scenes().await {
        let note = write(&scene, SUE, about("Called back.")).await.unwrap();
        assert_eq!(refusal_reason(edit(&scene, TOM, &note, "Did not.", None).await), "NOT_THE_AUTHOR");
        assert_eq!(refusal_reason(rank(&scene, TOM, &note, NotePriority::Low).await), "NOT_THE_AUTHOR");
        assert_eq!(refusal_reason(remove(&scene, TOM, &note).await), "NOT_THE_AUTHOR");
        assert_eq!(read(&scene, TOM, &note.id).await.unwrap(), note);
        let moderator = format!("{TOM}/+members.notes.moderate");
        let edited = edit(&scene, &moderator, &note, "Called.", None).await.unwrap();
        assert_eq!(edited.author_id, "sue", "the author stays");
        remove(&scene, &moderator, &note).await.unwrap();
    }
}

#[tokio::test]
async fn nobody_but_staff_and_programs_reaches_a_note() {
    for scene in scenes().await {
        let note = write(&scene, SUE, about("Called back.")).await.unwrap();
        for who in OUTSIDERS {
            assert_eq!(refusal_reason(write(&scene, who, about("Mine.")).await), "REALM_NOT_ALLOWED", "{who}");
            assert_eq!(refusal_reason(read(&scene, who, &note.id).await), "REALM_NOT_ALLOWED", "{who}");
            assert_eq!(refusal_reason(list(&scene, who, of_alice()).await), "REALM_NOT_ALLOWED", "{who}");
        }
        assert_eq!(refusal_reason(read(&scene, "", &note.id).await), "TOKEN_MISSING");
        let acting = "User/alice@sue";
        assert_eq!(
            refusal_reason(list(&scene, acting, of_alice()).await),
            "REALM_NOT_ALLOWED",
            "nor staff as a member"
        );
        assert_eq!(refusal_reason(give(&scene, SUE, &note, "", "bob").await), "PERMISSION_MISSING");
    }
}

#[tokio::test]
async fn a_note_goes_to_another_member_and_back() {
    for scene in scenes().await {
        let note = write(&scene, SUE, about("Called back.")).await.unwrap();
        assert_eq!(refusal_reason(give(&scene, PLATFORM, &note, "mallory", "bob").await), "NOT_FOUND");
        let moved = give(&scene, PLATFORM, &note, "alice", "bob").await.unwrap();
        assert_eq!((moved.owner_id.as_str(), moved.author_id.as_str()), ("bob", "sue"));
        assert_eq!(list(&scene, STAFF, of_alice()).await.unwrap(), [""; 0]);
        let back = give(&scene, PLATFORM, &note, "bob", "alice").await.unwrap();
        let restored = Note { version: note.version, updated_at: note.updated_at, ..back };
        assert_eq!(restored, note, "nothing else changed");
        assert_eq!(scene.actions(JOURNAL).await, ["CREATED", "OWNER_CHANGED", "OWNER_CHANGED"]);
    }
}
