//! More sign-ins than the cores can hash are turned away at once, with the time to come back, on every surface.

use std::time::{Duration, Instant};

use futures::future::join_all;
use http::StatusCode;
use pavise_identity::contract::v1::CreateTokenRequest;
use pavise_identity::contract::v1::identity_service_client::IdentityServiceClient;
use pavise_identity::{Config, HashCost};
use pavise_kernel::Common;
use pavise_testapp::{Engine, TestApp};
use serde_json::json;
use tonic::Code;
use tonic_types::StatusExt as _;

use crate::browser::{EMAIL, PASSWORD, sign_up};

/// How many sign in at once.
const CALLERS: usize = 60;
/// How many passwords are hashed at once.
const AT_ONCE: usize = 2;

/// The platform where hashing takes a while, as it does outside of tests.
async fn platform() -> TestApp {
    let hash_cost = HashCost { memory_kib: 8 * 1024, passes: 2, lanes: 1 };
    let app = TestApp::on(Engine::Sqlite).identity(|config| Config { hash_cost, hashes_at_once: AT_ONCE, ..config });
    app.start().await.unwrap()
}

/// Each caller has a name of their own, so that the rate limit for guesses delays nobody.
fn name(number: usize) -> String {
    format!("user{number}@example.com")
}

#[tokio::test(flavor = "multi_thread")]
async fn over_rest_who_cannot_be_served_is_told_when_to_come_back() {
    let app = platform().await;
    sign_up(&app).await;
    let began = Instant::now();
    let _ = app.visitor().post("/v1/tokens", json!({"email": EMAIL, "password": PASSWORD})).await.expect(200);
    let alone = began.elapsed();
    let began = Instant::now();
    let visitor = app.visitor();
    let answers = join_all((0..CALLERS).map(|number| {
        let (visitor, began) = (visitor.clone(), Instant::now());
        async move {
            let answer =
                visitor.post("/v1/tokens", json!({"email": name(number), "password": "a wrong word of the sea"})).await;
            (answer, began.elapsed())
        }
    }))
    .await;
    let all = began.elapsed();
    let (turned_away, checked): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|(answer, _)| answer.status == StatusCode::TOO_MANY_REQUESTS);
    for (answer, _) in &turned_away {
        assert_eq!(answer.reason(), "OVERLOADED");
        assert_eq!(answer.headers["retry-after"], "1");
        assert!(answer.json["details"].to_string().contains("\"retryDelay\":\"1s\""), "{}", answer.json);
    }
    for (answer, _) in &checked {
        assert_eq!((answer.status, answer.reason()), (StatusCode::UNAUTHORIZED, "WRONG_CREDENTIALS"));
    }
    let slowest = turned_away.iter().map(|(_, took)| *took).max().unwrap_or_default();
    println!(
        "REST: {} checked, {} turned away, the last after {slowest:?}; one alone takes {alone:?}",
        checked.len(),
        turned_away.len()
    );
    assert!(checked.len() >= AT_ONCE && turned_away.len() > CALLERS / 2, "{} checked", checked.len());
    // In a queue, the last caller would have waited for all the others.
    let queued = alone * u32::try_from(CALLERS / AT_ONCE).unwrap();
    assert!(all < queued, "{all:?} for {CALLERS}, where a queue takes {queued:?}");
    // A refused caller has not used an attempt: they sign in as soon as there is room.
    let again = app.visitor().post("/v1/tokens", json!({"email": EMAIL, "password": PASSWORD})).await;
    assert_eq!(again.status, StatusCode::OK);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn over_grpc_who_cannot_be_served_is_told_when_to_come_back() {
    let app = platform().await;
    let answers = join_all((0..CALLERS).map(|number| {
        let mut client = IdentityServiceClient::new(app.visitor_channel("identity"));
        let request = CreateTokenRequest {
            email: name(number),
            password: "a wrong word of the sea".into(),
            ..Default::default()
        };
        async move { client.create_token(request).await.unwrap_err() }
    }))
    .await;
    let (turned_away, checked): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|status| status.code() == Code::ResourceExhausted);
    println!("gRPC: {} checked, {} turned away", checked.len(), turned_away.len());
    assert!(checked.len() >= AT_ONCE && turned_away.len() > CALLERS / 2, "{} checked", checked.len());
    assert!(checked.iter().all(|status| status.code() == Code::Unauthenticated), "{checked:?}");
    for status in turned_away {
        let details = status.get_error_details();
        assert_eq!(details.retry_info().and_then(|info| info.retry_delay), Some(Duration::from_secs(1)));
        assert_eq!(details.error_info().map(|info| info.reason.as_str()), Some("OVERLOADED"));
        assert!(pavise_kernel::Error::from(status).is(Common::Overloaded));
    }
    app.finish().await;
}
