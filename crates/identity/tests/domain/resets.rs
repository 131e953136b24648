//! Forgotten passwords: a code by mail, good once and for half an hour, and nothing to learn for anybody else.

use std::time::Duration;

use futures::future::join_all;
use pavise_identity::contract::PASSWORD_RESET_TABLE;
use pavise_identity::contract::v1::{
    PasswordChange, PreparePasswordResetRequest, ResetPasswordRequest, SendPasswordResetEmailRequest,
    SendPasswordResetEmailResponse,
};
use pavise_kernel::Error;
use pavise_kernel::common::v1::Locale;
use pavise_kernel::store::{Filter, StoredRow};
use tonic::{Request, Response, Status};
use tonic_types::StatusExt as _;

use crate::scene::{PASSWORD, Scene, refusal_reason, scene, scenes, with};

const NEW: &str = "staple of another kind";

async fn ask(scene: &Scene, email: &str) -> Result<Response<SendPasswordResetEmailResponse>, Status> {
    let request = SendPasswordResetEmailRequest { email: email.into(), ..SendPasswordResetEmailRequest::default() };
    scene.identities().send_password_reset_email(Request::new(request)).await
}

async fn rows(scene: &Scene) -> Vec<StoredRow> {
    scene.store().list(&PASSWORD_RESET_TABLE, &Filter { limit: 100, ..Filter::default() }).await.unwrap()
}

/// Lets the workers go on, and answers the codes that were sent.
async fn codes(scene: &Scene) -> Vec<String> {
    assert_eq!(scene.handle_all("identity.prepare_password_resets").await, 0);
    let sent = scene.delivered().await;
    let lines = sent.iter().filter_map(|message| message.text.lines().next()?.rsplit(' ').next().map(str::to_owned));
    lines.filter(|word| word.len() == 11 && word.contains('-')).collect()
}

async fn choose(scene: &Scene, id: &str, code: &str, password: &str) -> Result<Response<PasswordChange>, Status> {
    let request =
        ResetPasswordRequest { user_id: id.into(), code: code.into(), password: password.into(), email: String::new() };
    scene.identities().reset_password(Request::new(request)).await
}

/// Why a code is refused that comes from the address; empty when it is good.
async fn choose_from(scene: &Scene, address: &str, id: &str, code: &str) -> String {
    refusal_from(scene, address, id, code).await.map(|(reason, _)| reason).unwrap_or_default()
}

/// The reason of the refusal, and how long the caller is told to wait.
async fn refusal_from(scene: &Scene, address: &str, id: &str, code: &str) -> Option<(String, Option<Duration>)> {
    let request =
        ResetPasswordRequest { user_id: id.into(), code: code.into(), password: NEW.into(), email: String::new() };
    let answer = scene.identities().reset_password(with(Request::new(request), "x-forwarded-for", address)).await;
    let status = answer.err()?;
    let wait = status.get_details_retry_info().and_then(|info| info.retry_delay);
    Some((Error::from(status).reason().to_owned(), wait))
}

/// Waits until so many wrong codes are counted, of all resets together: that happens after the answer.
async fn counted(scene: &Scene, attempts: usize) {
    let of = |doc: &str| -> usize {
        let after = doc.split("\"attempts\":").nth(1).unwrap_or_default();
        after.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
    };
    let all = async {
        while rows(scene).await.iter().map(|row| of(&row.doc.replace(": ", ":"))).sum::<usize>() != attempts {
            tokio::task::yield_now().await;
        }
    };
    let in_time = tokio::time::timeout(Duration::from_secs(60), all).await;
    assert!(in_time.is_ok(), "some are never counted");
}

#[tokio::test]
async fn reset_code_sets_a_new_password_once() {
    for scene in scenes().await {
        let ada = scene.member("ada@example.com").await;
        scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
        assert_eq!(ask(&scene, "ADA@example.com").await.unwrap().into_inner().minutes, 30);
        let waiting = rows(&scene).await;
        assert!(waiting[0].owner_id.is_empty() && !waiting[0].doc.contains("example.com"), "{}", waiting[0].doc);
        let code = codes(&scene).await.remove(0);
        let sent = rows(&scene).await;
        assert_eq!((sent[0].status.as_str(), sent[0].owner_id.as_str()), ("SENT", ada.id.as_str()));
        assert!(!sent[0].doc.contains(&code.replace('-', "")), "only a digest is kept: {}", sent[0].doc);

        assert_eq!(refusal_reason(choose(&scene, &ada.id, "00000-00000", NEW).await), "RESET_CODE_NOT_GOOD");
        assert_eq!(
            refusal_reason(choose(&scene, &ada.id, &code, "ada@example.com 1815").await),
            "PASSWORD_NOT_ALLOWED"
        );
        assert_eq!(choose(&scene, &ada.id, &code.to_lowercase(), NEW).await.unwrap().into_inner().identity_id, ada.id);
        scene.sign_in("ada@example.com", NEW).await.unwrap();
        assert!(scene.sign_in("ada@example.com", PASSWORD).await.is_err());
        assert_eq!(
            refusal_reason(choose(&scene, &ada.id, &code, PASSWORD).await),
            "RESET_CODE_NOT_GOOD",
            "a code works once"
        );
        let actions = scene.actions().await;
        for action in
            ["PASSWORD_RESET_REQUESTED", "PASSWORD_RESET_PREPARED", "PASSWORD_RESET_REFUSED", "SESSION_REVOKED"]
        {
            assert_eq!(
                actions.iter().filter(|done| *done == action).count(),
                1 + usize::from(action.ends_with("PREPARED")),
                "{action}"
            );
        }
        let told = scene.delivered().await;
        assert_eq!(
            told.iter().map(|message| message.template.as_str()).collect::<Vec<_>>(),
            ["security.password-changed"]
        );
    }
}

#[tokio::test]
async fn a_code_is_found_by_address_and_sent_in_the_language_that_was_asked_for() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let request = SendPasswordResetEmailRequest {
        email: "ada@example.com".into(),
        locale: Locale::EsUs.into(),
        ..SendPasswordResetEmailRequest::default()
    };
    scene.identities().send_password_reset_email(Request::new(request)).await.unwrap();
    scene.handle_all("identity.prepare_password_resets").await;
    let sent = scene.delivered().await.remove(0);
    assert_eq!((sent.template.as_str(), sent.locale), ("security.password-reset", Locale::EsUs));
    assert!(sent.text.contains(&format!("user {}\n", ada.id)), "{}", sent.text);
    let code = sent.text.lines().next().unwrap().rsplit(' ').next().unwrap();
    let by = |user_id: &str, email: &str| ResetPasswordRequest {
        user_id: user_id.into(),
        email: email.into(),
        code: code.into(),
        password: NEW.into(),
    };
    let mut client = scene.identities();
    assert_eq!(refusal_reason(client.reset_password(Request::new(by("-", ""))).await), "INVALID_FIELD");
    assert_eq!(
        refusal_reason(client.reset_password(Request::new(by(&ada.id, "ada@example.com"))).await),
        "INVALID_FIELD"
    );
    assert_eq!(
        refusal_reason(client.reset_password(Request::new(by("-", "bob@example.com"))).await),
        "RESET_CODE_NOT_GOOD"
    );
    client.reset_password(Request::new(by("-", "Ada@example.com"))).await.unwrap();
    scene.sign_in("ada@example.com", NEW).await.unwrap();
}

#[tokio::test]
async fn a_code_ends_with_its_time_and_with_a_newer_one() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    ask(&scene, "ada@example.com").await.unwrap();
    let late = codes(&scene).await.remove(0);
    scene.clock.move_forward(Duration::from_secs(30 * 60));
    assert_eq!(refusal_reason(choose(&scene, &ada.id, &late, NEW).await), "RESET_CODE_NOT_GOOD");
    counted(&scene, 1).await;

    ask(&scene, "ada@example.com").await.unwrap();
    let first = codes(&scene).await.remove(0);
    ask(&scene, "ada@example.com").await.unwrap();
    let second = codes(&scene).await.remove(0);
    assert_eq!(refusal_reason(choose(&scene, &ada.id, &first, NEW).await), "RESET_CODE_NOT_GOOD");
    counted(&scene, 2).await;
    assert!(scene.sign_in("ada@example.com", PASSWORD).await.is_ok(), "nothing has changed");
    choose(&scene, &ada.id, &second, NEW).await.unwrap();
}

#[tokio::test]
async fn guesses_do_not_end_a_code_of_another_identity() {
    for scene in scenes().await {
        let ada = scene.member("ada@example.com").await;
        ask(&scene, "ada@example.com").await.unwrap();
        let code = codes(&scene).await.remove(0);
        let (mut taken, mut waited) = (0, Duration::ZERO);
        // The code is good for half an hour. Whoever guesses as soon as they may gets the most guesses.
        loop {
            let (reason, wait) = refusal_from(&scene, "203.0.113.9", &ada.id, "AAAAA-00000").await.unwrap();
            if reason == "RESET_CODE_NOT_GOOD" {
                taken += 1;
                counted(&scene, taken).await;
                continue;
            }
            assert_eq!(reason, "SIGN_IN_THROTTLED");
            let wait = wait.unwrap();
            waited += wait;
            if waited >= Duration::from_secs(30 * 60) {
                break;
            }
            scene.clock.move_forward(wait);
        }
        assert_eq!(taken, 19);
        assert_eq!(choose_from(&scene, "198.51.100.7", &ada.id, &code).await, "", "the owner has not waited");
    }
}

#[tokio::test]
async fn wrong_codes_that_come_at_once_are_all_counted() {
    for scene in scenes().await {
        let ada = scene.member("ada@example.com").await;
        ask(&scene, "ada@example.com").await.unwrap();
        let code = codes(&scene).await.remove(0);
        let guesses = (0..20).map(|guess| {
            let (scene, id) = (&scene, &ada.id);
            async move { choose_from(scene, &format!("203.0.113.{}", guess / 5), id, "AAAAA-00000").await }
        });
        assert_eq!(join_all(guesses).await, ["RESET_CODE_NOT_GOOD"; 20]);
        counted(&scene, 20).await;
        assert_eq!(
            choose_from(&scene, "198.51.100.7", &ada.id, &code).await,
            "RESET_CODE_NOT_GOOD",
            "twenty guesses end a code"
        );
    }
}

#[tokio::test]
async fn guessing_is_made_to_wait_whether_there_is_a_code_or_not() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    ask(&scene, "ada@example.com").await.unwrap();
    codes(&scene).await;
    for id in [ada.id.as_str(), "nobody at all"] {
        let mut refusals = Vec::new();
        for _ in 0..10 {
            refusals.push(refusal_reason(choose(&scene, id, "AAAAA-AAAAA", NEW).await));
        }
        assert_eq!(refusals.iter().filter(|refusal| *refusal == "RESET_CODE_NOT_GOOD").count(), 6, "{refusals:?}");
        assert_eq!(refusals.last().unwrap(), "SIGN_IN_THROTTLED");
    }
}

#[tokio::test]
async fn reset_answers_alike_for_known_and_unknown_names() {
    for scene in scenes().await {
        scene.member("ada@example.com").await;
        let known = ask(&scene, "ada@example.com").await.unwrap().into_inner();
        let unknown = ask(&scene, "nobody@example.com").await.unwrap().into_inner();
        assert_eq!(known, unknown);
        let actions = scene.actions().await;
        assert_eq!(
            actions[actions.len() - 2..],
            ["PASSWORD_RESET_REQUESTED", "PASSWORD_RESET_REQUESTED"],
            "the same is written"
        );
        let docs: Vec<usize> = rows(&scene).await.iter().map(|row| row.doc.len()).collect();
        assert!(docs[0].abs_diff(docs[1]) < 8, "and as much of it: {docs:?}");
        assert_eq!(codes(&scene).await.len(), 1);
        let statuses: Vec<String> = rows(&scene).await.into_iter().map(|row| row.status).collect();
        assert_eq!(statuses, ["IGNORED", "SENT"]);
        assert!(!rows(&scene).await[0].doc.contains("sealedName"));
    }
}

#[tokio::test]
async fn asking_is_made_to_wait_by_name_and_by_address() {
    let scene = scene().await;
    let mut answers = Vec::new();
    for _ in 0..8 {
        answers.push(ask(&scene, "nobody@example.com").await.is_ok());
    }
    assert_eq!(answers.iter().filter(|answered| **answered).count(), 6, "{answers:?}");
    let from = |name: u32| {
        let email = format!("someone{name}@example.com");
        let request = SendPasswordResetEmailRequest { email, ..SendPasswordResetEmailRequest::default() };
        with(Request::new(request), "x-forwarded-for", "203.0.113.9")
    };
    let mut refused = 0;
    for name in 0..60 {
        refused += u32::from(scene.identities().send_password_reset_email(from(name)).await.is_err());
    }
    assert!((8..=9).contains(&refused), "{refused}");
}

#[tokio::test]
async fn where_no_mail_goes_out_nobody_is_promised_one() {
    let scene = scene().await;
    scene.member("ada@example.com").await;
    *scene.post.missing.lock().unwrap() = Some("smtp-url");
    assert_eq!(refusal_reason(ask(&scene, "ada@example.com").await), "NOT_CONFIGURED");
    assert_eq!(refusal_reason(ask(&scene, "nobody@example.com").await), "NOT_CONFIGURED");
}

#[tokio::test]
async fn requests_are_forgotten_after_a_day() {
    let scene = scene().await;
    scene.member("ada@example.com").await;
    ask(&scene, "ada@example.com").await.unwrap();
    ask(&scene, "nobody@example.com").await.unwrap();
    scene.clock.move_forward(Duration::from_secs(23 * 3600));
    scene.tick_all("early").await.unwrap();
    assert_eq!(rows(&scene).await.len(), 2);
    assert!(codes(&scene).await.is_empty(), "a request that waited too long is not answered");
    scene.clock.move_forward(Duration::from_secs(2 * 3600));
    scene.tick_all("late").await.unwrap();
    assert!(rows(&scene).await.is_empty());
}

#[tokio::test]
async fn only_the_platform_prepares() {
    let scene = scene().await;
    let request = || PreparePasswordResetRequest { password_reset_id: "any".into() };
    assert_eq!(
        refusal_reason(scene.identities().prepare_password_reset(Request::new(request())).await),
        "TOKEN_MISSING"
    );
    let weak = scene.program(request(), &["identity.passwords.write"]);
    assert_eq!(refusal_reason(scene.identities().prepare_password_reset(weak).await), "PERMISSION_MISSING");
    assert_eq!(refusal_reason(scene.identities().prepare_password_reset(scene.platform(request())).await), "NOT_FOUND");
}
