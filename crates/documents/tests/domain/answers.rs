//! Answers of members (rules 20, 217 and 285).

use pavise_documents::contract::v1::*;
use pavise_kernel::common::v1::Locale;

use crate::scene::{
    ADA, BEN, PLATFORM, STAFF, Scene, boolean, choice, content, day, facts, fields, into_answer, item, number, person,
    refusal_reason, request_by, scene, scenes, small, text, value, will,
};

/// The gRPC path of the journal.
const JOURNAL: &str = "/pavise.documents.v1.AnswerService/ReadJournal";

fn problems(answer: &Answer) -> Vec<(&str, i32, AnswerProblemKind)> {
    answer.problems.iter().map(|problem| (problem.item_id.as_str(), problem.row, problem.kind())).collect()
}

#[tokio::test]
async fn a_married_parent_of_two_sees_31_of_42_items_and_an_unmarried_member_25() {
    for scene in scenes().await {
        let will = scene.question(will()).await;
        let answer = scene.answer(&will, vec![choice("marital_status", "single")]).await.unwrap();
        let progress = answer.progress.unwrap();
        assert_eq!((progress.total_items, progress.visible_items), (42, 25));
        let family = vec![
            choice("marital_status", "married"),
            boolean("has_children", true),
            number("children", 2.0),
            AnswerValue { row: 1, ..day("child_birth_date", 1990) },
            AnswerValue { row: 2, ..day("child_birth_date", 1992) },
        ];
        let answer = scene.put(&answer, family.clone()).await.unwrap();
        let progress = answer.progress.unwrap();
        assert_eq!((progress.total_items, progress.visible_items, progress.answered), (42, 31, 5));
        assert!(problems(&answer).contains(&("child_name", 2, AnswerProblemKind::Missing)));
        let mut minor = family;
        minor.pop();
        minor.push(AnswerValue { row: 2, ..day("child_birth_date", 2020) });
        let answer = scene.put(&answer, minor).await.unwrap();
        assert_eq!(answer.progress.unwrap().visible_items, 34, "minors need a guardian");
        let young = scene.put(&answer, vec![day("birth_date", 2015)]).await.unwrap();
        assert!(problems(&young).contains(&("birth_date", 0, AnswerProblemKind::Stopped)));
    }
}

#[tokio::test]
async fn open_answers_end_on_the_version_on_which_they_began() {
    for scene in scenes().await {
        let question = scene.question(small("survey")).await;
        let mut open = Vec::new();
        for _ in 0..5 {
            open.push(scene.answer(&question, vec![text("a", "x")]).await.unwrap());
        }
        scene.put_question(&question, content(vec![item("c", QuestionItemType::Date)], Vec::new())).await.unwrap();
        for answer in &open {
            let put = scene.put(answer, vec![text("a", "x"), text("b", "y")]).await.unwrap();
            let done = scene.submit(&put).await.unwrap();
            assert_eq!((done.question_version, done.status()), (1, AnswerStatus::Submitted));
        }
        let late = scene.answer(&question, vec![day("c", 2020)]).await.unwrap();
        assert_eq!(late.question_version, 2);
        assert_eq!(fields(scene.answer(&question, vec![text("a", "x")]).await), ["values[0].item_id"]);
    }
}

/// Submit moves CREATED to SUBMITTED (rule 217).
#[tokio::test]
async fn submit_refuses_what_is_wrong_and_drops_what_is_hidden() {
    for scene in scenes().await {
        let question = scene.question(small("survey")).await;
        let answer = scene.answer(&question, vec![text("b", "hidden")]).await.unwrap();
        assert_eq!(answer.values, [text("b", "hidden")], "it is kept until then");
        assert_eq!(problems(&answer), [("a", 0, AnswerProblemKind::Missing)]);
        let refused = scene.submit(&answer).await;
        assert!(refused.as_ref().is_err_and(|error| error.reason() == "ANSWER_INCOMPLETE"));
        assert_eq!(fields(refused), ["values[a]"]);
        let done = scene.put(&answer, vec![text("a", "x"), text("b", "y")]).await.unwrap();
        assert_eq!(problems(&done), []);
        let done = scene.submit(&done).await.unwrap();
        assert_eq!(
            (done.status(), done.values.len(), done.submitted_at),
            (AnswerStatus::Submitted, 2, Some(scene.now()))
        );
        assert_eq!(scene.submit(&done).await.unwrap().version, done.version, "a repeat changes nothing");
        assert_eq!(refusal_reason(scene.put(&done, Vec::new()).await), "STATUS_NOT_ALLOWED");
        let hidden = scene.question(CreateQuestionRequest { content: Some(optional()), ..small("other") }).await;
        let answer = scene.answer(&hidden, vec![text("b", "hidden")]).await.unwrap();
        assert_eq!(scene.submit(&answer).await.unwrap().values, []);
        assert_eq!(scene.actions(JOURNAL).await, ["CREATE", "CHANGE", "SUBMIT", "CREATE", "SUBMIT"]);
    }
}

#[tokio::test]
async fn submit_refuses_files_of_others() {
    for scene in scenes().await {
        let content = content(vec![item("proof", QuestionItemType::File)], Vec::new());
        let question = scene.question(CreateQuestionRequest { content: Some(content), ..small("proofs") }).await;
        let upload = async |who: &str, owner: &str| {
            let facts = facts(FileContainer::Other, "", "proof.txt");
            scene
                .upload(who, UploadContainerFileRequest { owner_id: owner.into(), ..facts }, b"a proof")
                .await
                .unwrap()
                .id
        };
        let own = upload(ADA, "ada").await;
        let foreign = upload(BEN, "ben").await;
        let with = |files: &[&String]| {
            let file_ids = files.iter().map(|id| (*id).clone()).collect();
            vec![AnswerValue { file_ids, ..value("proof") }]
        };
        let answer = scene.answer(&question, with(&[&own, &foreign])).await.unwrap();
        assert_eq!(fields(scene.submit(&answer).await), ["values[proof].file_ids[1]"]);
        let answer = scene.put(&answer, with(&[&own])).await.unwrap();
        assert_eq!(scene.submit(&answer).await.unwrap().file_ids, [own]);
    }
}

/// As of `small`, but nothing needs an answer.
fn optional() -> QuestionContent {
    let mut asked = small("other").content.unwrap();
    asked.pages.iter_mut().flat_map(|page| &mut page.items).for_each(|item| item.required = false);
    asked
}

#[tokio::test]
async fn values_are_of_the_types_of_their_items() {
    let scene = scene().await;
    let will = scene.question(will()).await;
    for (values, field) in [
        (vec![text("nothing", "x")], "values[0].item_id"),
        (vec![text("birth_date", "1980")], "values[0].text"),
        (vec![boolean("is_citizen", true), boolean("is_citizen", false)], "values[1].item_id"),
        (vec![choice("marital_status", "engaged")], "values[0].choices"),
        (vec![number("children", 1.5)], "values[0].number"),
        (vec![person("child_name", "Cleo")], "values[0].row"),
        (vec![AnswerValue { row: 1, ..text("county", "Travis") }], "values[0].row"),
        (vec![text("national_id", "123-45-6789")], "values[0].text"),
        (vec![AnswerValue { sealed_text: "x".into(), ..value("county") }], "values[0].sealed_text"),
        (vec![text("email", "nobody")], "values[0].text"),
        (vec![text("intro", "x")], "values[0].text"),
    ] {
        let refused = scene.answer(&will, values).await;
        assert!(refused.as_ref().is_err_and(|error| error.reason() == "INVALID_FIELD"), "{refused:?}");
        assert_eq!(fields(refused), [field]);
    }
    let long: Vec<AnswerValue> = (1..=15).map(|row| AnswerValue { row, ..text("gift", &"x".repeat(20_000)) }).collect();
    assert_eq!(fields(scene.answer(&will, long).await), ["values"], "256 KiB are enough");
}

#[tokio::test]
async fn a_sealed_value_is_read_by_its_owner_and_stored_nowhere_in_clear() {
    for scene in scenes().await {
        let will = scene.question(will()).await;
        let secret = AnswerValue { sealed_text: "123-45-6789".into(), ..value("national_id") };
        let answer = scene.answer(&will, vec![secret.clone()]).await.unwrap();
        assert_eq!(answer.values, std::slice::from_ref(&secret));
        assert_eq!(scene.get(ADA, "ada", &answer.id).await.unwrap().values, [secret]);
        let row = scene.store().get(&pavise_documents::contract::ANSWER_TABLE, &answer.id).await.unwrap().unwrap();
        assert!(row.doc.contains("national_id") && !row.doc.contains("123-45"), "{}", row.doc);
    }
}

#[tokio::test]
async fn an_answer_begins_with_earlier_values_and_names_those_that_were_lost() {
    for scene in scenes().await {
        let question = scene.question(small("survey")).await;
        let first = scene.answer(&question, vec![text("a", "x"), text("b", "y")]).await.unwrap();
        let asked = content(vec![item("a", QuestionItemType::Text), item("b", QuestionItemType::Date)], Vec::new());
        scene.put_question(&question, asked).await.unwrap();
        let begin = async |who: &str, copy_from: &str| {
            let request = CreateAnswerRequest {
                user_id: who.into(),
                question_id: question.id.clone(),
                copy_from: copy_from.into(),
                locale: Locale::EsUs.into(),
                ..CreateAnswerRequest::default()
            };
            scene_create(&scene, who, request).await
        };
        let copy = begin("ada", &first.id).await.unwrap();
        assert_eq!(
            (copy.values.as_slice(), copy.lost_item_ids.as_slice()),
            (&[text("a", "x")][..], &["b".to_owned()][..])
        );
        assert_eq!((copy.copied_from_id.as_str(), copy.locale()), (first.id.as_str(), Locale::EsUs));
        assert_eq!(fields(begin("ben", &first.id).await), ["copy_from"], "it is another member's");
    }
}

async fn scene_create(scene: &Scene, who: &str, request: CreateAnswerRequest) -> pavise_kernel::Result<Answer> {
    into_answer(scene.answers().create_answer(request_by(&format!("User/{who}"), request)).await)
}

#[tokio::test]
async fn an_answer_is_its_owners_and_staffs() {
    for scene in scenes().await {
        let question = scene.question(small("survey")).await;
        let answer = scene.answer(&question, Vec::new()).await.unwrap();
        assert_eq!(scene.get(STAFF, "ada", &answer.id).await.unwrap().id, answer.id);
        assert_eq!(refusal_reason(scene.get(BEN, "ben", &answer.id).await), "NOT_FOUND");
        assert!(scene.get(BEN, "ada", &answer.id).await.is_err());
        assert_eq!(refusal_reason(scene.get(STAFF, "ben", &answer.id).await), "NOT_FOUND");
        let list = ListAnswersRequest {
            user_id: "ada".into(),
            status: AnswerStatus::Created.into(),
            question_id: question.id.clone(),
            ..ListAnswersRequest::default()
        };
        let page = into_answer(scene.answers().list_answers(request_by(ADA, list)).await).unwrap();
        assert_eq!(page.answers.len(), 1);
        let delete = DeleteAnswerRequest { user_id: "ada".into(), answer_id: answer.id.clone() };
        let filled = scene.put(&answer, vec![text("a", "x")]).await.unwrap();
        assert_eq!(filled.values.len(), 1);
        let deleted = into_answer(scene.answers().delete_answer(request_by(ADA, delete)).await).unwrap();
        assert_eq!((deleted.status(), deleted.values.len(), deleted.problems.len()), (AnswerStatus::Deleted, 0, 0));
        assert_eq!(refusal_reason(scene.put(&answer, Vec::new()).await), "STATUS_NOT_ALLOWED");
    }
}

#[tokio::test]
async fn only_live_questionnaires_are_begun_and_by_apps_that_can_show_them() {
    for scene in scenes().await {
        let supported =
            SupportedMobileVersion { platform: MobilePlatform::Android.into(), min: "4.2".into(), max: String::new() };
        let request = CreateQuestionRequest { supported_mobile_versions: vec![supported], ..small("survey") };
        let question = scene.question(request).await;
        let begin = async |version: &str| {
            let request = CreateAnswerRequest {
                user_id: "ada".into(),
                question_id: question.id.clone(),
                platform: MobilePlatform::Android.into(),
                app_version: version.into(),
                ..CreateAnswerRequest::default()
            };
            scene_create(&scene, "ada", request).await
        };
        begin("4.10").await.unwrap();
        assert_eq!(refusal_reason(begin("4.1").await), "APP_TOO_OLD");
        let open = scene.answer(&question, vec![text("a", "x")]).await.unwrap();
        let retire = RetireQuestionRequest { question_id: question.id.clone() };
        into_answer(scene.questions().retire_question(request_by(STAFF, retire)).await).unwrap();
        assert_eq!(refusal_reason(scene.answer(&question, Vec::new()).await), "QUESTION_NOT_OPEN");
        let put = scene.put(&open, vec![text("a", "x"), text("b", "y")]).await.unwrap();
        assert_eq!(scene.submit(&put).await.unwrap().status(), AnswerStatus::Submitted, "open ones can be finished");
        let draft = scene.question(CreateQuestionRequest { draft: true, ..small("draft") }).await;
        assert_eq!(fields(scene.answer(&draft, Vec::new()).await), ["question_id"]);
    }
}

#[tokio::test]
async fn somebody_is_told_of_an_answer_until_it_is_removed() {
    for scene in scenes().await {
        let question = scene.question(small("survey")).await;
        let answer = scene.answer(&question, Vec::new()).await.unwrap();
        let add = |identity: &str| AddNotificationRequest {
            user_id: "ada".into(),
            answer_id: answer.id.clone(),
            notification: Some(AnswerNotification {
                kind: AnswerNotificationKind::Submitted.into(),
                channel: ReminderChannel::Email.into(),
                identity_id: identity.into(),
                ..AnswerNotification::default()
            }),
        };
        let told = into_answer(scene.answers().add_notification(request_by(ADA, add("ben"))).await).unwrap();
        assert_eq!(told.notifications[0].identity_id, "ben");
        let nobody = into_answer(scene.answers().add_notification(request_by(ADA, add("nobody"))).await);
        assert_eq!(fields(nobody), ["notification.identity_id"]);
        assert_eq!(scene.peers.asked(), ["ben", "nobody"]);
        let remove = RemoveNotificationRequest {
            user_id: "ada".into(),
            answer_id: answer.id.clone(),
            notification_id: told.notifications[0].id.clone(),
        };
        let left = into_answer(scene.answers().remove_notification(request_by(ADA, remove)).await).unwrap();
        assert_eq!(left.notifications, []);
        assert_eq!(scene.actions(JOURNAL).await, ["CREATE", "ADD_NOTIFICATION", "REMOVE_NOTIFICATION"]);
    }
}

/// Reminders come on days 3, 6 and 9 at nine o'clock of the member, then none, and never after the submission.
#[tokio::test]
async fn open_answers_are_reminded_three_times_and_submitted_ones_never() {
    for scene in scenes().await {
        let config = ReminderConfig {
            id: "daily".into(),
            interval: 3,
            interval_type: IntervalType::Day.into(),
            channel: ReminderChannel::Email.into(),
            template_key: "documents.reminder".into(),
            at_most: 3,
        };
        let question = CreateQuestionRequest { reminder_configs: vec![config], ..small("survey") };
        let question = scene.question(question).await;
        let open = scene.answer(&question, vec![text("a", "x"), text("b", "y")]).await.unwrap();
        let done = scene.answer(&question, vec![text("a", "x"), text("b", "y")]).await.unwrap();
        assert!(scene.submit(&done).await.unwrap().next_reminder_at.is_none());
        let mut counts = Vec::new();
        // The scene begins at noon of UTC, 6 o'clock in Chicago; nine there is three hours later.
        for hours in [3 * 24, 3, 3 * 24, 3 * 24, 3 * 24] {
            scene.clock.move_forward(std::time::Duration::from_secs(hours * 3_600));
            let occasion = format!("{} {hours}", counts.len());
            scene.run_timer("documents.remind_answers", &occasion).await.unwrap();
            counts.push(scene.peers.sent().len());
        }
        assert_eq!(counts, [0, 1, 2, 3, 3]);
        assert_eq!(scene.peers.sent()[0], ("documents.reminder".to_owned(), "ada@example.com".to_owned()));
        assert_eq!(scene.get(ADA, "ada", &open.id).await.unwrap().reminders[0].count, 3);
    }
}

/// A merge moves answers, and an unmerge moves them back.
#[tokio::test]
async fn answers_follow_their_owner_in_a_merge() {
    for scene in scenes().await {
        let question = scene.question(small("survey")).await;
        let answer = scene.answer(&question, vec![text("a", "x")]).await.unwrap();
        for (from, to) in [("ada", "ben"), ("ben", "ada")] {
            let request =
                MoveAnswerRequest { answer_id: answer.id.clone(), user_id: from.into(), new_owner_id: to.into() };
            let refused = scene.answers().move_answer(request_by(STAFF, request.clone())).await;
            assert_eq!(refusal_reason(refused), "REALM_NOT_ALLOWED");
            let moved = into_answer(scene.answers().move_answer(request_by(PLATFORM, request)).await).unwrap();
            assert_eq!((moved.owner_id.as_str(), moved.values.len()), (to, 1));
        }
    }
}
