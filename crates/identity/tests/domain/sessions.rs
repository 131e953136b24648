//! Sessions: renewed with tokens that are good once, shown to their owner, ended wherever they are.

use std::collections::BTreeSet;
use std::time::Duration;

use pavise_identity::contract::v1::{
    AccessToken, DeleteIdentityRequest, GetCurrentSessionRequest, GetIdentityRequest, ListSessionsRequest,
    RefreshTokenRequest, RevokeAllSessionsRequest, RevokeSessionRequest, Session, SignOutRequest,
};
use pavise_kernel::common::v1::WatchJournalRequest;
use pavise_kernel::{Common, Error};
use tonic::{Request, Response, Status};

use crate::scene::{PASSWORD, Scene, refusal_reason, request_by, scene, scenes, sign_in, with};

/// Exchanges a refresh token that is in the body.
async fn refresh(scene: &Scene, token: &str) -> Result<AccessToken, Error> {
    let request = RefreshTokenRequest { refresh_token: token.to_owned(), cookie: false };
    let answer = scene.sessions().refresh_token(Request::new(request)).await;
    answer.map(Response::into_inner).map_err(Error::from)
}

/// Signs in as a browser.
async fn browser(scene: &Scene, email: &str) -> (AccessToken, Vec<String>) {
    let request = pavise_identity::contract::v1::CreateTokenRequest { cookie: true, ..sign_in(email, PASSWORD) };
    let answer = scene.identities().create_token(Request::new(request)).await.unwrap();
    let cookies = set_cookies(&answer);
    (answer.into_inner(), cookies)
}

fn set_cookies<T>(answer: &Response<T>) -> Vec<String> {
    answer.metadata().get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned()).collect()
}

/// The cookies that a browser sends back, under the names that calls see.
fn cookie_header(cookies: &[String]) -> String {
    let pairs = cookies.iter().map(|cookie| cookie.split(';').next().unwrap().strip_prefix("__Host-").unwrap());
    pairs.collect::<Vec<_>>().join("; ")
}

async fn refresh_browser(scene: &Scene, cookies: &[String]) -> Result<(AccessToken, Vec<String>), Status> {
    let request = with(Request::new(RefreshTokenRequest::default()), "pavise-cookies", &cookie_header(cookies));
    let answer = scene.sessions().refresh_token(request).await?;
    let cookies = set_cookies(&answer);
    Ok((answer.into_inner(), cookies))
}

async fn list(scene: &Scene, token: &AccessToken, include_ended: bool) -> Vec<Session> {
    let request =
        ListSessionsRequest { identity_id: token.identity_id.clone(), include_ended, ..ListSessionsRequest::default() };
    scene.sessions().list_sessions(request_by(&token.access_token, request)).await.unwrap().into_inner().sessions
}

/// Whether the access token opens anything, once the process knows of what ended.
async fn opens(scene: &Scene, token: &AccessToken) -> bool {
    scene.learn_what_ended().await;
    let get = GetIdentityRequest { identity_id: token.identity_id.clone() };
    match scene.identities().get_identity(request_by(&token.access_token, get)).await {
        Ok(_) => true,
        Err(status) => {
            assert!(Error::from(status).is(Common::TokenExpired));
            false
        }
    }
}

#[tokio::test]
async fn a_refresh_token_is_good_once_and_its_second_use_ends_the_session() {
    for scene in scenes().await {
        scene.member("ada@example.com").await;
        let first = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
        scene.clock.move_forward(Duration::from_secs(60));
        let second = refresh(&scene, &first.refresh_token).await.unwrap();
        assert_eq!((&second.session_id, &second.identity_id), (&first.session_id, &first.identity_id));
        assert_ne!(second.access_token, first.access_token);
        let third = refresh(&scene, &second.refresh_token).await.unwrap();
        assert!(opens(&scene, &third).await);

        // Somebody kept a copy of the first.
        let again = refresh(&scene, &first.refresh_token).await.unwrap_err();
        assert_eq!(again.reason(), "REFRESH_TOKEN_REUSED");
        assert_eq!(scene.actions().await.last().unwrap(), "REFRESH_TOKEN_REUSED");
        assert_eq!(refresh(&scene, &third.refresh_token).await.unwrap_err().reason(), "REFRESH_TOKEN_INVALID");
        for token in [&first, &second, &third] {
            assert!(!opens(&scene, token).await);
        }
    }
}

#[tokio::test]
async fn of_many_who_come_at_once_with_one_refresh_token_one_gets_new_ones() {
    for scene in scenes().await {
        scene.member("ada@example.com").await;
        let first = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
        let tries = (0..12).map(|_| refresh(&scene, &first.refresh_token));
        let answers = futures::future::join_all(tries).await;
        let good: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().ok()).collect();
        assert_eq!(good.len(), 1, "{answers:?}");
        for error in answers.iter().filter_map(|answer| answer.as_ref().err()) {
            assert!(
                ["CONTENTION", "REFRESH_TOKEN_REUSED", "REFRESH_TOKEN_INVALID"].contains(&error.reason()),
                "{error}"
            );
        }
    }
}

#[tokio::test]
async fn a_token_that_was_never_good_ends_nothing() {
    let scene = scene().await;
    scene.member("ada@example.com").await;
    let first = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    let bob = scene.member("bob@example.com").await;
    let bobs = scene.sign_in("bob@example.com", PASSWORD).await.unwrap();
    let parts: Vec<&str> = first.refresh_token.split('.').collect();
    let others: Vec<&str> = bobs.refresh_token.split('.').collect();
    let guesses = [
        String::new(),
        "nonsense".to_owned(),
        first.access_token[..200].to_owned(),
        first.refresh_token[..first.refresh_token.len() - 1].to_owned(),
        format!("{}.{}.{}", parts[0], others[1], others[2]),
        format!("{}.{}.{}", others[0], parts[1], parts[2]),
        format!("{}.{}.{}", parts[0], others[1], parts[2]),
        format!("01900000-0000-7000-8000-000000000001.{}.{}", parts[1], parts[2]),
    ];
    for guess in guesses {
        assert_eq!(refresh(&scene, &guess).await.unwrap_err().reason(), "REFRESH_TOKEN_INVALID", "{guess}");
    }
    refresh(&scene, &first.refresh_token).await.unwrap();
    assert_eq!(refresh(&scene, &bobs.refresh_token).await.unwrap().identity_id, bob.id);
}

#[tokio::test]
async fn a_session_ends_when_it_is_not_used_and_when_its_time_is_over() {
    let scene = scene().await;
    scene.member("ada@example.com").await;
    let hours = |count: u64| Duration::from_secs(count * 3600);
    let idle = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    scene.clock.move_forward(scene.config.session_idle);
    assert_eq!(refresh(&scene, &idle.refresh_token).await.unwrap_err().reason(), "REFRESH_TOKEN_INVALID");

    let mut token = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    let ends = token.session_expires_at.unwrap().seconds;
    for _ in 0..4 {
        scene.clock.move_forward(scene.config.session_idle - hours(1));
        token = refresh(&scene, &token.refresh_token).await.unwrap();
    }
    let left = u64::try_from(ends - scene.now().seconds).unwrap();
    scene.clock.move_forward(Duration::from_secs(left - 60));
    token = refresh(&scene, &token.refresh_token).await.unwrap();
    assert_eq!(token.expires_at.unwrap().seconds, ends, "no access token outlives its session");
    scene.clock.move_forward(Duration::from_secs(60));
    assert_eq!(refresh(&scene, &token.refresh_token).await.unwrap_err().reason(), "REFRESH_TOKEN_INVALID");
}

#[tokio::test]
async fn staff_sessions_are_shorter() {
    let scene = scene().await;
    scene.staff("eve@example.com", &["identity.identities.read"]).await;
    let token = scene.sign_in("eve@example.com", PASSWORD).await.unwrap();
    let lasts = token.session_expires_at.unwrap().seconds - scene.now().seconds;
    assert_eq!(u64::try_from(lasts).unwrap(), scene.config.staff_session_lifetime.as_secs());
    scene.clock.move_forward(scene.config.staff_session_idle);
    assert_eq!(refresh(&scene, &token.refresh_token).await.unwrap_err().reason(), "REFRESH_TOKEN_INVALID");
}

#[tokio::test]
async fn a_browser_gets_its_tokens_as_cookies_and_never_in_an_answer() {
    let scene = scene().await;
    scene.member("ada@example.com").await;
    let (answer, cookies) = browser(&scene, "ada@example.com").await;
    assert!(answer.access_token.is_empty() && answer.refresh_token.is_empty());
    let [access, refresh] = cookies.as_slice() else { panic!("{cookies:?}") };
    assert!(
        access.starts_with("__Host-pavise_session=ey")
            && access.ends_with("; Path=/; Max-Age=900; HttpOnly; SameSite=Lax; Secure")
    );
    assert!(refresh.starts_with("__Host-pavise_refresh=") && refresh.ends_with("; HttpOnly; SameSite=Strict; Secure"));

    let (again, newer) = refresh_browser(&scene, &cookies).await.unwrap();
    assert_eq!(again.session_id, answer.session_id);
    assert!(again.access_token.is_empty() && again.refresh_token.is_empty());
    // Asked for in the body, they come as cookies still: a page's script never gets hold of them.
    let value = newer[1].split(';').next().unwrap().split_once('=').unwrap().1.to_owned();
    let body = RefreshTokenRequest { refresh_token: value, cookie: false };
    let answer = scene.sessions().refresh_token(Request::new(body)).await.unwrap();
    assert_eq!(set_cookies(&answer).len(), 2);
    assert!(answer.into_inner().refresh_token.is_empty());
}

#[tokio::test]
async fn two_pages_of_a_browser_that_renew_at_once_do_not_sign_it_out() {
    let scene = scene().await;
    scene.member("ada@example.com").await;
    let (_, cookies) = browser(&scene, "ada@example.com").await;
    let (_, newer) = refresh_browser(&scene, &cookies).await.unwrap();
    scene.clock.move_forward(Duration::from_secs(5));
    assert_eq!(refusal_reason(scene_refresh(&scene, &cookies).await), "REFRESH_TOKEN_SUPERSEDED");
    let (_, newest) = refresh_browser(&scene, &newer).await.unwrap();
    scene.clock.move_forward(Duration::from_secs(11));
    assert_eq!(refusal_reason(scene_refresh(&scene, &newer).await), "REFRESH_TOKEN_REUSED");
    assert_eq!(refusal_reason(scene_refresh(&scene, &newest).await), "REFRESH_TOKEN_INVALID");
}

async fn scene_refresh(scene: &Scene, cookies: &[String]) -> Result<Response<AccessToken>, Status> {
    let request = with(Request::new(RefreshTokenRequest::default()), "pavise-cookies", &cookie_header(cookies));
    scene.sessions().refresh_token(request).await
}

#[tokio::test]
async fn session_prepared_by_another_is_not_taken_over() {
    let scene = scene().await;
    scene.member("ada@example.com").await;
    let (mallorys, planted) = {
        scene.member("mallory@example.com").await;
        browser(&scene, "mallory@example.com").await
    };
    let request =
        pavise_identity::contract::v1::CreateTokenRequest { cookie: true, ..sign_in("ada@example.com", PASSWORD) };
    let answer = scene
        .identities()
        .create_token(with(Request::new(request), "pavise-cookies", &cookie_header(&planted)))
        .await
        .unwrap();
    let own = set_cookies(&answer);
    assert_ne!(answer.get_ref().session_id, mallorys.session_id);
    let planted: BTreeSet<&str> = planted.iter().map(|cookie| cookie.split(';').next().unwrap()).collect();
    assert!(own.iter().all(|cookie| !planted.contains(cookie.split(';').next().unwrap())));
    // Each sign-in opens a session of its own, and one person's refresh token never speaks for another.
    let again = refresh_browser(&scene, &own).await.unwrap().0;
    assert_eq!(again.session_id, answer.get_ref().session_id);
}

#[tokio::test]
async fn signing_out_ends_what_the_caller_has_a_token_of() {
    for scene in scenes().await {
        scene.member("ada@example.com").await;
        let token = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
        let request = request_by(&token.access_token, SignOutRequest::default());
        let ended = scene.sessions().sign_out(request).await.unwrap().into_inner().ended;
        assert_eq!(ended, vec![token.session_id.clone()]);
        assert_eq!(scene.actions().await.last().unwrap(), "LOGGED_OUT");
        assert!(!opens(&scene, &token).await);
        assert_eq!(refresh(&scene, &token.refresh_token).await.unwrap_err().reason(), "REFRESH_TOKEN_INVALID");

        let token = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
        let request = SignOutRequest { refresh_token: token.refresh_token.clone() };
        assert_eq!(scene.sessions().sign_out(Request::new(request.clone())).await.unwrap().into_inner().ended.len(), 1);
        assert!(!opens(&scene, &token).await);
        assert!(scene.sessions().sign_out(Request::new(request)).await.unwrap().into_inner().ended.is_empty());

        let (token, cookies) = browser(&scene, "ada@example.com").await;
        let request = with(Request::new(SignOutRequest::default()), "pavise-cookies", &cookie_header(&cookies));
        let answer = scene.sessions().sign_out(request).await.unwrap();
        let forgotten = set_cookies(&answer);
        assert_eq!(answer.into_inner().ended, [token.session_id]);
        assert!(forgotten.len() == 3 && forgotten.iter().all(|cookie| cookie.contains("=; Path=/; Max-Age=0;")));
    }
}

#[tokio::test]
async fn owner_sees_own_sessions_only() {
    for scene in scenes().await {
        let ada = scene.member("ada@example.com").await;
        scene.member("bob@example.com").await;
        let request = with(Request::new(sign_in("ada@example.com", PASSWORD)), "x-forwarded-for", "203.0.113.9");
        let request = with(request, "pavise-user-agent", "Mozilla/5.0 (X11)");
        let token = scene.identities().create_token(request).await.unwrap().into_inner();
        let bobs = scene.sign_in("bob@example.com", PASSWORD).await.unwrap();
        let [session] = list(&scene, &token, false).await.try_into().unwrap();
        assert_eq!((session.id.as_str(), session.method.as_str()), (token.session_id.as_str(), "password"));
        assert_eq!((session.address.as_str(), session.user_agent.as_str()), ("203.0.113.x", "Mozilla/5.0 (X11)"));
        assert!(!session.cookie && session.last_used_at.is_some() && session.idle_expires_at.is_some());
        assert!(session.family_hash.is_empty() && session.refresh_hash.is_empty() && session.previous_hash.is_empty());

        let ask = |identity_id: &str| ListSessionsRequest {
            identity_id: identity_id.to_owned(),
            ..ListSessionsRequest::default()
        };
        assert_eq!(
            refusal_reason(scene.sessions().list_sessions(request_by(&bobs.access_token, ask(&ada.id))).await),
            "NOT_THE_OWNER"
        );
        let end = RevokeSessionRequest { identity_id: bobs.identity_id.clone(), session_id: token.session_id.clone() };
        assert_eq!(
            refusal_reason(scene.sessions().revoke_session(request_by(&bobs.access_token, end)).await),
            "NOT_FOUND"
        );
        assert!(opens(&scene, &token).await);
        let kept = format!("{:?}", scene.entries().await);
        assert!(!kept.contains(token.refresh_token.split('.').nth(2).unwrap()));
    }
}

#[tokio::test]
async fn one_session_is_ended_or_all_but_the_one_that_asks() {
    for scene in scenes().await {
        scene.member("ada@example.com").await;
        let mut tokens = Vec::new();
        for _ in 0..4 {
            tokens.push(scene.sign_in("ada@example.com", PASSWORD).await.unwrap());
        }
        let [mine, lost, ..] = tokens.as_slice() else { panic!() };
        let end = RevokeSessionRequest { identity_id: mine.identity_id.clone(), session_id: lost.session_id.clone() };
        let ended =
            scene.sessions().revoke_session(request_by(&mine.access_token, end.clone())).await.unwrap().into_inner();
        assert!(ended.refresh_hash.is_empty());
        scene.sessions().revoke_session(request_by(&mine.access_token, end)).await.unwrap();
        assert!(!opens(&scene, lost).await);
        assert_eq!(refresh(&scene, &lost.refresh_token).await.unwrap_err().reason(), "REFRESH_TOKEN_INVALID");
        assert_eq!((list(&scene, mine, false).await.len(), list(&scene, mine, true).await.len()), (3, 4));

        let all = |except_current| RevokeAllSessionsRequest { identity_id: mine.identity_id.clone(), except_current };
        let ended =
            scene.sessions().revoke_all_sessions(request_by(&mine.access_token, all(true))).await.unwrap().into_inner();
        assert_eq!(ended.ended.len(), 2);
        assert!(opens(&scene, mine).await && !opens(&scene, &tokens[2]).await && !opens(&scene, &tokens[3]).await);
        scene.sessions().revoke_all_sessions(request_by(&mine.access_token, all(false))).await.unwrap();
        assert!(!opens(&scene, mine).await);
    }
}

#[tokio::test]
async fn sessions_that_ended_hide_none_that_goes_on() {
    for scene in scenes().await {
        scene.member("ada@example.com").await;
        let first = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
        for _ in 0..500 {
            let token = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
            scene.sessions().sign_out(request_by(&token.access_token, SignOutRequest::default())).await.unwrap();
        }
        let last = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
        let all = RevokeAllSessionsRequest { identity_id: last.identity_id.clone(), except_current: true };
        let ended =
            scene.sessions().revoke_all_sessions(request_by(&last.access_token, all)).await.unwrap().into_inner();
        assert_eq!(ended.ended, std::slice::from_ref(&first.session_id));
        assert!(!opens(&scene, &first).await && opens(&scene, &last).await);
        assert_eq!(refresh(&scene, &first.refresh_token).await.unwrap_err().reason(), "REFRESH_TOKEN_INVALID");
        // Those of a day ago are forgotten, as many at a time as are looked at.
        scene.clock.move_forward(Duration::from_secs(25 * 3600));
        for _ in 0..2 {
            scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
        }
        let forgotten = scene.entries().await.iter().filter(|entry| entry.action == "SESSION_FORGOTTEN").count();
        assert_eq!(forgotten, 501);
    }
}

#[tokio::test]
async fn sessions_end_with_their_identity() {
    for scene in scenes().await {
        let ada = scene.member("ada@example.com").await;
        let token = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
        let read = async |id: &str| {
            let request = ListSessionsRequest { identity_id: id.to_owned(), ..ListSessionsRequest::default() };
            scene.sessions().list_sessions(request_by(&token.access_token, request)).await
        };
        read(&ada.id).await.unwrap();
        scene
            .identities()
            .delete_identity(scene.platform(DeleteIdentityRequest { identity_id: ada.id.clone() }))
            .await
            .unwrap();
        scene.learn_what_ended().await;
        assert_eq!(refusal_reason(read(&ada.id).await), "TOKEN_EXPIRED", "nothing that he has opens anything");
        assert_eq!(refresh(&scene, &token.refresh_token).await.unwrap_err().reason(), "REFRESH_TOKEN_INVALID");
    }
}

#[tokio::test]
async fn oldest_sessions_end_beyond_the_limit() {
    let scene = scene().await;
    scene.member("ada@example.com").await;
    let first = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    for _ in 0..50 {
        scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    }
    assert!(!opens(&scene, &first).await, "the oldest of 51 was ended");
    let last = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    assert_eq!(list(&scene, &last, false).await.len(), 50);
    scene.clock.move_forward(scene.config.session_lifetime + Duration::from_secs(48 * 3600));
    let later = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    assert_eq!(list(&scene, &later, true).await.len(), 1, "what was over for a day is forgotten");
}

#[tokio::test]
async fn the_first_question_of_an_application_is_answered_for_everybody() {
    let scene = scene().await;
    let ask = |token: &str| request_by(token, GetCurrentSessionRequest {});
    let eve = scene.staff("eve@example.com", &["billing.invoices.read"]).await;
    let token = scene.sign_in("eve@example.com", PASSWORD).await.unwrap();
    let current = scene.sessions().get_current_session(ask(&token.access_token)).await.unwrap().into_inner();
    assert_eq!((current.identity_id, current.session_id), (eve.id, token.session_id));
    assert_eq!(current.permissions[0].permissions, ["billing.invoices.read"]);
    assert_eq!((current.expires_at, current.session_expires_at), (token.expires_at, token.session_expires_at));
    assert_eq!((current.method.as_str(), current.cookie, current.actor_id.as_str()), ("password", false, ""));
    let anonymous = scene.sessions().get_current_session(Request::new(GetCurrentSessionRequest {})).await;
    assert_eq!(refusal_reason(anonymous), "TOKEN_MISSING");
}

#[tokio::test]
async fn journal_watch_ends_with_its_token() {
    let scene = scene().await;
    scene.staff("eve@example.com", &["identity.identities.journal"]).await;
    let watch = |token: &str| request_by(token, WatchJournalRequest::default());
    let token = scene.sign_in("eve@example.com", PASSWORD).await.unwrap();
    let mut stream = scene.identities().watch_journal(watch(&token.access_token)).await.unwrap().into_inner();
    assert_eq!(stream.message().await.unwrap().unwrap().action, "CREATED");
    scene.clock.move_forward(scene.config.access_lifetime);
    let over = loop {
        match stream.message().await {
            Ok(Some(_)) => {}
            other => break other,
        }
    };
    assert!(Error::from(over.unwrap_err()).is(Common::TokenExpired));

    // The same after the session was ended before.
    let token = scene.sign_in("eve@example.com", PASSWORD).await.unwrap();
    let mut stream = scene.identities().watch_journal(watch(&token.access_token)).await.unwrap().into_inner();
    stream.message().await.unwrap().unwrap();
    scene.sessions().sign_out(request_by(&token.access_token, SignOutRequest::default())).await.unwrap();
    scene.learn_what_ended().await;
    let over = loop {
        match stream.message().await {
            Ok(Some(_)) => {}
            other => break other,
        }
    };
    assert!(Error::from(over.unwrap_err()).is(Common::TokenExpired));
}
