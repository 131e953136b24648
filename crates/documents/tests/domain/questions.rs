//! Questionnaires: what goes live, what is frozen, and who may see it (rules 124, 126 and 167).

use pavise_documents::contract::v1::*;
use pavise_kernel::Result;

use crate::scene::{
    ADA, PLATFORM, STAFF, Scene, VISITOR, content, fields, into_answer, item, refusal_reason, request_by, scene,
    scenes, small,
};

/// The gRPC path of the journal.
const JOURNAL: &str = "/pavise.documents.v1.QuestionService/ReadJournal";

async fn get(scene: &Scene, who: &str, id: &str) -> Result<Question> {
    let request = GetQuestionRequest { question_id: id.into() };
    into_answer(scene.questions().get_question(request_by(who, request)).await)
}

async fn version(scene: &Scene, who: &str, id: &str, number: i32) -> Result<QuestionVersion> {
    let request = GetQuestionVersionRequest { question_id: id.into(), question_version: number };
    into_answer(scene.questions().get_question_version(request_by(who, request)).await)
}

#[tokio::test]
async fn each_put_goes_live_and_leaves_a_frozen_version() {
    for scene in scenes().await {
        let made = scene.question(small("survey")).await;
        assert_eq!((made.status(), made.live_version, &made.draft), (QuestionStatus::Active, 1, &None));
        let second = content(vec![item("c", QuestionItemType::Date)], Vec::new());
        let put = scene.put_question(&made, second.clone()).await.unwrap();
        assert_eq!((put.live_version, &put.content), (2, &Some(second.clone())));
        assert_eq!(version(&scene, ADA, &made.id, 1).await.unwrap().content, made.content);
        assert_eq!(version(&scene, ADA, &made.id, 2).await.unwrap().content, put.content);
        assert_eq!(refusal_reason(version(&scene, ADA, &made.id, 3).await), "NOT_FOUND");
        let again = scene.put_question(&put, second).await.unwrap();
        assert_eq!(again.live_version, 2, "the same content is no new version");
        assert_eq!(scene.actions(JOURNAL).await, ["CREATED", "CREATED", "UPDATED", "UPDATED"]);
    }
}

#[tokio::test]
async fn a_draft_is_for_staff_until_it_is_published() {
    for scene in scenes().await {
        let draft = CreateQuestionRequest { draft: true, ..small("survey") };
        let made = scene.question(draft).await;
        assert_eq!((made.status(), made.live_version, &made.content), (QuestionStatus::Draft, 0, &None));
        assert_eq!(refusal_reason(get(&scene, ADA, &made.id).await), "NOT_FOUND");
        let publish = PublishQuestionRequest { question_id: made.id.clone() };
        let live = into_answer(scene.questions().publish_question(request_by(STAFF, publish.clone())).await).unwrap();
        assert_eq!((live.status(), live.live_version, &live.content), (QuestionStatus::Active, 1, &made.draft));
        let put = PutQuestionRequest {
            question_id: made.id.clone(),
            name: "survey".into(),
            kind: QuestionKind::Survey.into(),
            content: Some(content(vec![item("c", QuestionItemType::Date)], Vec::new())),
            draft: true,
            ..PutQuestionRequest::default()
        };
        into_answer(scene.questions().put_question(request_by(STAFF, put)).await).unwrap();
        let seen = get(&scene, ADA, &made.id).await.unwrap();
        assert_eq!((&seen.content, &seen.draft), (&made.draft, &None), "members see what is live");
        assert!(get(&scene, STAFF, &made.id).await.unwrap().draft.is_some());
        let retire = RetireQuestionRequest { question_id: made.id.clone() };
        let over = into_answer(scene.questions().retire_question(request_by(STAFF, retire)).await).unwrap();
        assert_eq!(over.status(), QuestionStatus::Retired);
        assert_eq!(refusal_reason(get(&scene, ADA, &made.id).await), "NOT_FOUND");
        let refused = scene.questions().publish_question(request_by(STAFF, publish)).await;
        assert_eq!(refusal_reason(refused), "STATUS_NOT_ALLOWED");
    }
}

#[tokio::test]
async fn what_cannot_be_answered_is_refused_with_each_path_and_can_be_a_draft() {
    for scene in scenes().await {
        let mut request = small("survey");
        if let Some(asked) = &mut request.content {
            asked.pages[0].items[1].labels.pop();
            asked.pages[0].items.push(item("c", QuestionItemType::Choice));
            asked.conditions[0].item_id = "b".into();
        }
        let refused = into_answer(scene.questions().create_question(request_by(STAFF, request.clone())).await);
        assert!(refused.as_ref().is_err_and(|error| error.reason() == "QUESTION_INCOMPLETE"));
        let expected =
            ["content.pages[0].items[1].labels", "content.pages[0].items[2].choices", "content.conditions[0]"];
        assert_eq!(fields(refused), expected);
        request.draft = true;
        scene.question(request).await;
    }
}

/// Question-setting calls are for staff and programs (rule 124).
#[tokio::test]
async fn only_staff_and_programs_write_questionnaires() {
    let scene = scene().await;
    let refused = scene.questions().create_question(request_by(ADA, small("survey"))).await;
    assert_eq!(refusal_reason(refused), "REALM_NOT_ALLOWED");
    let made = into_answer(scene.questions().create_question(request_by(PLATFORM, small("survey"))).await).unwrap();
    let retire = || RetireQuestionRequest { question_id: made.id.clone() };
    assert_eq!(
        refusal_reason(scene.questions().retire_question(request_by("Partner/firm", retire())).await),
        "REALM_NOT_ALLOWED"
    );
    let same = scene.questions().create_question(request_by(STAFF, small("Survey".to_lowercase().as_str()))).await;
    assert_eq!(refusal_reason(same), "ALREADY_EXISTS");
    assert_eq!(refusal_reason(get(&scene, "Partner/firm", &made.id).await), "PERMISSION_MISSING");
}

/// A public read needs no identity (rule 126).
#[tokio::test]
async fn everybody_reads_a_public_questionnaire_and_no_other() {
    for scene in scenes().await {
        let public = scene.question(CreateQuestionRequest { public: true, ..small("open") }).await;
        let closed = scene.question(small("closed")).await;
        let read = async |who: &str, id: &str| {
            let request = GetPublicQuestionRequest { question_id: id.into() };
            into_answer(scene.questions().get_public_question(request_by(who, request)).await)
        };
        assert_eq!(read(VISITOR, &public.id).await.unwrap().content, public.content);
        assert_eq!(read(ADA, &public.id).await.unwrap().id, public.id);
        assert_eq!(refusal_reason(read(VISITOR, &closed.id).await), "NOT_FOUND");
        assert_eq!(refusal_reason(read(STAFF, &closed.id).await), "NOT_FOUND");
    }
}

/// Supported mobile versions and reminder configs are updated, added and removed (rule 167).
#[tokio::test]
async fn apps_and_reminders_are_added_updated_and_removed() {
    for scene in scenes().await {
        let made = scene.question(small("survey")).await;
        let (mut questions, question_id) = (scene.questions(), made.id.clone());
        let app = |min: &str| {
            Some(SupportedMobileVersion { platform: MobilePlatform::Ios.into(), min: min.into(), max: String::new() })
        };
        let add = |min: &str| AddSupportedMobileVersionRequest {
            question_id: question_id.clone(),
            supported_mobile_version: app(min),
        };
        let added = questions.add_supported_mobile_version(request_by(STAFF, add("4.2"))).await;
        assert_eq!(into_answer(added).unwrap().supported_mobile_versions, [app("4.2").unwrap()]);
        let twice = questions.add_supported_mobile_version(request_by(STAFF, add("4.3"))).await;
        assert_eq!(refusal_reason(twice), "ITEM_EXISTS");
        let update = UpdateSupportedMobileVersionRequest {
            question_id: question_id.clone(),
            supported_mobile_version: app("4.4"),
        };
        let updated = questions.update_supported_mobile_version(request_by(STAFF, update)).await;
        assert_eq!(into_answer(updated).unwrap().supported_mobile_versions, [app("4.4").unwrap()]);
        let remove = RemoveSupportedMobileVersionRequest {
            question_id: question_id.clone(),
            platform: MobilePlatform::Ios.into(),
        };
        let removed = questions.remove_supported_mobile_version(request_by(STAFF, remove)).await;
        assert_eq!(into_answer(removed).unwrap().supported_mobile_versions, []);
        let reminder = |id: &str, interval: i32| {
            Some(ReminderConfig {
                id: id.into(),
                interval,
                interval_type: IntervalType::Day.into(),
                channel: ReminderChannel::Email.into(),
                template_key: "documents.reminder".into(),
                at_most: 3,
            })
        };
        let add = AddReminderConfigRequest { question_id: question_id.clone(), reminder_config: reminder("", 3) };
        let added = into_answer(questions.add_reminder_config(request_by(STAFF, add)).await).unwrap();
        let id = added.reminder_configs[0].id.clone();
        assert!(!id.is_empty());
        let update =
            UpdateReminderConfigRequest { question_id: question_id.clone(), reminder_config: reminder(&id, 5) };
        let updated = into_answer(questions.update_reminder_config(request_by(STAFF, update)).await).unwrap();
        assert_eq!(updated.reminder_configs, [reminder(&id, 5).unwrap()]);
        let remove = RemoveReminderConfigRequest { question_id, reminder_config_id: id };
        let removed = into_answer(questions.remove_reminder_config(request_by(STAFF, remove)).await).unwrap();
        assert_eq!(removed.reminder_configs, []);
        let expected = [
            "CREATED",
            "CREATED",
            "SUPPORTED_MOBILE_VERSION_ADDED",
            "SUPPORTED_MOBILE_VERSION_UPDATED",
            "SUPPORTED_MOBILE_VERSION_REMOVED",
            "REMINDER_CONFIG_ADDED",
            "REMINDER_CONFIG_UPDATED",
            "REMINDER_CONFIG_REMOVED",
        ];
        assert_eq!(scene.actions(JOURNAL).await, expected);
    }
}

#[tokio::test]
async fn lists_have_what_their_reader_may_see() {
    let scene = scene().await;
    scene.question(small("live")).await;
    scene.question(CreateQuestionRequest { draft: true, ..small("draft") }).await;
    let list = async |who: &str, request: ListQuestionsRequest| {
        let page = into_answer(scene.questions().list_questions(request_by(who, request)).await).unwrap();
        page.questions.into_iter().map(|question| question.name).collect::<Vec<_>>()
    };
    assert_eq!(list(ADA, ListQuestionsRequest::default()).await, ["live"]);
    assert_eq!(list(STAFF, ListQuestionsRequest::default()).await, ["draft", "live"]);
    let drafts = ListQuestionsRequest { status: QuestionStatus::Draft.into(), ..ListQuestionsRequest::default() };
    assert_eq!(list(STAFF, drafts.clone()).await, ["draft"]);
    assert_eq!(list(ADA, drafts).await, [""; 0]);
    let wills = ListQuestionsRequest { kind: QuestionKind::Document.into(), ..ListQuestionsRequest::default() };
    assert_eq!(list(STAFF, wills).await, [""; 0]);
}
