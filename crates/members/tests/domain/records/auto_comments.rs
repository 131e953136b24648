//! Comments on members that programs write.

use std::slice::from_ref;

use pavise_kernel::Result;
use pavise_kernel::common::v1::{GetMaxClockRequest, Locale};
use pavise_members::contract::v1::*;

use super::scene::{OUTSIDERS, PLATFORM, STAFF, Scene, fields, into_answer, refusal_reason, request_by, scenes};

/// The gRPC path of the journal.
const JOURNAL: &str = "/pavise.members.v1.AutoCommentService/ReadJournal";

fn words(words: &[(&str, &str)]) -> Vec<AutoCommentParameter> {
    let word = |&(name, value): &(&str, &str)| AutoCommentParameter { name: name.into(), value: value.into() };
    words.iter().map(word).collect()
}

fn suspended() -> CreateAutoCommentRequest {
    CreateAutoCommentRequest {
        identity_id: "alice".into(),
        subject_type: AutoCommentSubjectType::Entitlement.into(),
        subject_id: "alice's plan".into(),
        priority: AutoCommentPriority::High.into(),
        key: AutoCommentKey::PlanSuspended.into(),
        parameters: words(&[("plan", "Legal Plan"), ("reason", "PAYMENT")]),
    }
}

async fn write(scene: &Scene, who: &str, request: CreateAutoCommentRequest) -> Result<AutoComment> {
    into_answer(scene.comments().create_auto_comment(request_by(who, request)).await)
}

async fn read(scene: &Scene, who: &str, owner: &str, id: &str) -> Result<AutoComment> {
    let request = GetAutoCommentRequest { identity_id: owner.into(), auto_comment_id: id.into() };
    into_answer(scene.comments().get_auto_comment(request_by(who, request)).await)
}

async fn list(scene: &Scene, who: &str, request: ListAutoCommentsRequest) -> Result<Vec<AutoComment>> {
    Ok(into_answer(scene.comments().list_auto_comments(request_by(who, request)).await)?.auto_comments)
}

fn of(owner: &str) -> ListAutoCommentsRequest {
    ListAutoCommentsRequest { identity_id: owner.into(), ..ListAutoCommentsRequest::default() }
}

fn text(comment: &AutoComment, locale: Locale) -> &str {
    &comment.texts.iter().find(|one| one.locale() == locale).unwrap().text
}

/// Rule 201: it belongs to an identity; rules 398 and 401: priorities and subjects.
#[tokio::test]
async fn a_program_writes_a_comment_that_staff_read_in_their_language() {
    for scene in scenes().await {
        let comment = write(&scene, PLATFORM, suspended()).await.unwrap();
        assert_eq!((comment.owner_id.as_str(), comment.priority()), ("alice", AutoCommentPriority::High));
        assert_eq!(text(&comment, Locale::EnUs), "Legal Plan was suspended: PAYMENT.");
        assert_eq!(text(&comment, Locale::EsUs), "Se suspendió Legal Plan: PAYMENT.");
        assert_eq!(text(&comment, Locale::EnCa), text(&comment, Locale::EnUs));
        assert_eq!(text(&comment, Locale::FrCa), "Legal Plan a été suspendu : PAYMENT.");
        let branch = CreateAutoCommentRequest {
            subject_type: AutoCommentSubjectType::Branch.into(),
            subject_id: "dallas".into(),
            priority: AutoCommentPriority::Unspecified.into(),
            key: AutoCommentKey::BranchAssigned.into(),
            parameters: words(&[("branch", "Dallas")]),
            ..suspended()
        };
        let branch = write(&scene, PLATFORM, branch).await.unwrap();
        assert_eq!(
            (text(&branch, Locale::EnUs), branch.priority()),
            ("Dallas works for the member.", AutoCommentPriority::Low)
        );
        assert_eq!(list(&scene, STAFF, of("alice")).await.unwrap(), [branch.clone(), comment.clone()]);
        let plan = ListAutoCommentsRequest { subject_id: "alice's plan".into(), ..of("alice") };
        assert_eq!(list(&scene, STAFF, plan).await.unwrap(), from_ref(&comment));
        let key = ListAutoCommentsRequest { key: AutoCommentKey::BranchAssigned.into(), ..of("alice") };
        assert_eq!(list(&scene, STAFF, key).await.unwrap(), [branch]);
        assert_eq!(read(&scene, STAFF, "alice", &comment.id).await.unwrap(), comment);
        assert_eq!(refusal_reason(read(&scene, STAFF, "bob", &comment.id).await), "NOT_FOUND");
    }
}

#[tokio::test]
async fn a_comment_has_the_words_of_its_text_and_a_subject_of_the_member() {
    for scene in scenes().await {
        let only = |said: &[(&str, &str)]| CreateAutoCommentRequest { parameters: words(said), ..suspended() };
        let plan = ("plan", "Legal Plan");
        let cases = [
            (only(&[plan]), "parameters"),
            (only(&[plan, plan]), "parameters[1].name"),
            (only(&[plan, ("reason", "PAYMENT"), ("day", "2026-03-01")]), "parameters[2].name"),
            (only(&[plan, ("reason", "")]), "parameters[1].value"),
            (only(&[plan, ("reason", "<b>")]), "parameters[1].value"),
            (CreateAutoCommentRequest { key: AutoCommentKey::BranchAssigned.into(), ..suspended() }, "key"),
            (CreateAutoCommentRequest { key: 0, ..suspended() }, "key"),
            (CreateAutoCommentRequest { subject_type: 0, ..suspended() }, "subject_type"),
            (CreateAutoCommentRequest { subject_id: "bob's plan".into(), ..suspended() }, "subject_id"),
            (CreateAutoCommentRequest { subject_id: String::new(), ..suspended() }, "subject_id"),
        ];
        for (request, field) in cases {
            assert_eq!(fields(write(&scene, PLATFORM, request.clone()).await), [field], "{request:?}");
        }
    }
}

/// Rule 353: changeOwner takes a body with the new owner.
#[tokio::test]
async fn a_comment_only_changes_its_owner_and_nobody_but_staff_and_programs_reaches_it() {
    for scene in scenes().await {
        let comment = write(&scene, PLATFORM, suspended()).await.unwrap();
        for who in OUTSIDERS {
            assert_eq!(refusal_reason(write(&scene, who, suspended()).await), "REALM_NOT_ALLOWED", "{who}");
            assert_eq!(refusal_reason(read(&scene, who, "alice", &comment.id).await), "REALM_NOT_ALLOWED", "{who}");
            assert_eq!(refusal_reason(list(&scene, who, of("alice")).await), "REALM_NOT_ALLOWED", "{who}");
        }
        let give = |who: &'static str, from: &str, to: &str| {
            let request = ChangeAutoCommentOwnerRequest {
                identity_id: from.into(),
                auto_comment_id: comment.id.clone(),
                new_owner_id: to.into(),
            };
            let mut client = scene.comments();
            async move { into_answer(client.change_auto_comment_owner(request_by(who, request)).await) }
        };
        assert_eq!(refusal_reason(give(PLATFORM, "bob", "carol").await), "NOT_FOUND");
        let may_write = "Internal/sue/+members.auto_comments.write";
        assert_eq!(refusal_reason(give(may_write, "alice", "bob").await), "PERMISSION_MISSING");
        let moved = give(PLATFORM, "alice", "bob").await.unwrap();
        assert_eq!((moved.owner_id.as_str(), &moved.texts), ("bob", &comment.texts));
        assert_eq!(scene.actions(JOURNAL).await, ["CREATED", "OWNER_CHANGED"]);
        let ask = request_by(STAFF, GetMaxClockRequest {});
        assert_eq!(scene.comments().get_max_clock(ask).await.unwrap().into_inner().max_clock, 2);
    }
}
