//! Answers of visitors, who have no account (rule 128).

use std::time::Duration;

use pavise_documents::contract::v1::*;
use pavise_kernel::Result;

use crate::scene::{
    ADA, BEN, STAFF, Scene, VISITOR, fields, into_answer, refusal_reason, request_by, scene, scenes, small, text,
};

/// The id that a visitor made.
const FRESH: &str = "70000000-0000-4000-8000-000000000001";

async fn begin(scene: &Scene, question: &Question, user_id: &str) -> Result<(Answer, String)> {
    let request = CreatePublicAnswerRequest {
        user_id: user_id.into(),
        question_id: question.id.clone(),
        values: vec![text("a", "x")],
        ..CreatePublicAnswerRequest::default()
    };
    let made = into_answer(scene.answers().create_public_answer(request_by(VISITOR, request)).await)?;
    Ok((made.answer.unwrap(), made.access_code))
}

async fn put(scene: &Scene, id: &str, code: &str, values: Vec<AnswerValue>) -> Result<Answer> {
    let request = PutPublicAnswerRequest {
        user_id: FRESH.into(),
        answer_id: id.into(),
        access_code: code.into(),
        values,
        ..PutPublicAnswerRequest::default()
    };
    into_answer(scene.answers().put_public_answer(request_by(VISITOR, request)).await)
}

async fn submit(scene: &Scene, id: &str, code: &str) -> Result<Answer> {
    let (user_id, answer_id, access_code) = (FRESH.into(), id.into(), code.into());
    let request = SubmitPublicAnswerRequest { user_id, answer_id, access_code };
    into_answer(scene.answers().submit_public_answer(request_by(VISITOR, request)).await)
}

async fn give(scene: &Scene, who: &str, id: &str, to: &str, code: &str) -> Result<Answer> {
    let request = ChangeAnswerOwnerRequest {
        user_id: FRESH.into(),
        answer_id: id.into(),
        new_owner_id: to.into(),
        access_code: code.into(),
    };
    into_answer(scene.answers().change_answer_owner(request_by(who, request)).await)
}

async fn survey(scene: &Scene) -> Question {
    scene.question(CreateQuestionRequest { public: true, ..small("survey") }).await
}

#[tokio::test]
async fn a_visitor_answers_submits_signs_up_and_owns_it() {
    for scene in scenes().await {
        let (answer, code) = begin(&scene, &survey(&scene).await, FRESH).await.unwrap();
        assert_eq!((answer.owner_id.as_str(), answer.of_visitor, answer.code_digest.as_str()), (FRESH, true, ""));
        put(&scene, &answer.id, &code, vec![text("a", "x"), text("b", "y")]).await.unwrap();
        let done = submit(&scene, &answer.id, &code).await.unwrap();
        assert_eq!((done.status(), done.values.len(), done.ends_at), (AnswerStatus::Submitted, 2, None));
        assert_eq!(refusal_reason(scene.get(ADA, "ada", &answer.id).await), "NOT_FOUND");
        assert_eq!(refusal_reason(give(&scene, ADA, &answer.id, "ada", "no code").await), "NOT_FOUND");
        assert_eq!(fields(give(&scene, BEN, &answer.id, "ada", &code).await), ["new_owner_id"]);
        for _ in 0..2 {
            let own = give(&scene, ADA, &answer.id, "ada", &code).await.unwrap();
            assert_eq!((own.owner_id.as_str(), own.of_visitor), ("ada", false));
        }
        assert_eq!(scene.get(ADA, "ada", &answer.id).await.unwrap().values, done.values);
        assert_eq!(refusal_reason(give(&scene, BEN, &answer.id, "ben", &code).await), "NOT_FOUND");
        assert_eq!(refusal_reason(submit(&scene, &answer.id, &code).await), "NOT_FOUND", "the code is of no use now");
    }
}

#[tokio::test]
async fn without_its_code_a_visitors_answer_is_not_found() {
    for scene in scenes().await {
        let question = survey(&scene).await;
        let (answer, code) = begin(&scene, &question, FRESH).await.unwrap();
        assert_eq!(code.len(), 32);
        for wrong in ["x", &code[..31]] {
            assert_eq!(refusal_reason(put(&scene, &answer.id, wrong, Vec::new()).await), "NOT_FOUND");
            assert_eq!(refusal_reason(submit(&scene, &answer.id, wrong).await), "NOT_FOUND");
        }
        assert_eq!(refusal_reason(put(&scene, "nothing", &code, Vec::new()).await), "NOT_FOUND");
        let row = scene.store().get(&pavise_documents::contract::ANSWER_TABLE, &answer.id).await.unwrap().unwrap();
        assert!(!row.doc.contains(&code), "it is stored hashed");
        let other = scene.question(small("closed")).await;
        assert_eq!(fields(begin(&scene, &other, FRESH).await), ["question_id"]);
        let known = begin(&scene, &question, "70000000-0000-4000-8000-00000000ada0").await;
        assert_eq!(fields(known), ["user_id"], "somebody has that id");
    }
}

#[tokio::test]
async fn an_unfinished_one_ends_after_30_days_without_a_change() {
    for scene in scenes().await {
        let question = survey(&scene).await;
        let (left, _) = begin(&scene, &question, FRESH).await.unwrap();
        let (kept, code) = begin(&scene, &question, FRESH).await.unwrap();
        let (done, done_code) = begin(&scene, &question, FRESH).await.unwrap();
        put(&scene, &done.id, &done_code, vec![text("a", "x"), text("b", "y")]).await.unwrap();
        submit(&scene, &done.id, &done_code).await.unwrap();
        scene.clock.move_forward(Duration::from_secs(29 * 86_400));
        put(&scene, &kept.id, &code, vec![text("a", "z")]).await.unwrap();
        scene.clock.move_forward(Duration::from_secs(86_400));
        for occasion in ["first", "second"] {
            scene.run_timer("documents.end_visitor_answers", occasion).await.unwrap();
        }
        let status = async |id: &str| scene.get(STAFF, FRESH, id).await.unwrap().status();
        assert_eq!(status(&left.id).await, AnswerStatus::Deleted);
        assert_eq!(status(&kept.id).await, AnswerStatus::Created);
        assert_eq!(status(&done.id).await, AnswerStatus::Submitted);
    }
}

#[tokio::test]
async fn staff_give_an_answer_to_an_account_that_exists() {
    let scene = scene().await;
    let (answer, _) = begin(&scene, &survey(&scene).await, FRESH).await.unwrap();
    assert_eq!(fields(give(&scene, STAFF, &answer.id, "nobody", "").await), ["new_owner_id"]);
    assert_eq!(give(&scene, STAFF, &answer.id, "ada", "").await.unwrap().owner_id, "ada");
}
