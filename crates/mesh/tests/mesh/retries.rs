use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use pavise_kernel::{Common, Error};
use pavise_mesh::{Endpoint, Serving, remote};
use tokio::net::TcpListener;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::scene::{CALL, Server, app, call, message};

const KEY: &[(&str, &str)] = &[("idempotency-key", "k")];

fn no_reads(_: &str) -> bool {
    false
}

/// Refuses the first `times` calls with `status`, and counts all of them.
fn failing(times: usize, status: Status) -> (Router, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let app = app(move |_| {
        let answer =
            if counted.fetch_add(1, Ordering::SeqCst) < times { status.clone().into_http() } else { message("done") };
        async move { answer }
    });
    (app, count)
}

fn unavailable() -> Status {
    Error::unavailable("the database", "down").into_status("orders", "")
}

#[tokio::test]
async fn only_what_may_be_repeated_is_repeated() {
    for (reads, headers, expected) in
        [((|path| path == CALL) as fn(&str) -> bool, &[][..], 3), (no_reads, KEY, 3), (no_reads, &[], 1)]
    {
        let (app, count) = failing(2, unavailable());
        let server = Server::start(app).await;
        let result = call(&server.channel(reads), headers).await;
        assert_eq!(count.load(Ordering::SeqCst), expected);
        assert_eq!(result.is_ok(), expected == 3, "{result:?}");
        if let Err(status) = result {
            assert_eq!(
                status.get_details_error_info().unwrap().reason,
                "UNAVAILABLE",
                "the peer's own refusal is told"
            );
        }
    }
}

#[tokio::test]
async fn only_what_may_pass_is_repeated() {
    let reason = |reason| Error::new(reason, "no").into_status("orders", "");
    for (status, attempts) in [
        (reason(Common::NotFound), 1),
        (reason(Common::Contention), 1),
        (reason(Common::Overloaded), 1),
        (reason(Common::Internal), 1),
        (reason(Common::DeadlineExceeded), 1),
        (reason(Common::NotConfigured), 1),
        (reason(Common::ClockNotReached), 4),
        (Status::unavailable("no details"), 4),
    ] {
        let (app, count) = failing(usize::MAX, status.clone());
        let server = Server::start(app).await;
        let refused = call(&server.channel(no_reads), KEY).await.unwrap_err();
        assert_eq!(refused.code(), status.code());
        assert_eq!(count.load(Ordering::SeqCst), attempts, "{status:?}");
    }
}

#[tokio::test]
async fn repeats_stay_within_the_deadline() {
    let (app, count) = failing(usize::MAX, unavailable());
    let server = Server::start(app).await;
    let endpoint = Endpoint { attempts: 1000, ..Endpoint::new(server.url()) };
    let began = Instant::now();
    let status = call(&remote(&endpoint, no_reads).unwrap(), &[("idempotency-key", "k"), ("grpc-timeout", "1S")])
        .await
        .unwrap_err();
    // The deadline may fall between two attempts or into one.
    assert!(matches!(status.code(), Code::Unavailable | Code::DeadlineExceeded), "{status}");
    assert!(began.elapsed() < Duration::from_secs(10), "the endpoint's own is 30 s");
    assert!((2..14).contains(&count.load(Ordering::SeqCst)), "waits do not grow: {count:?}");
}

#[tokio::test]
async fn a_peer_in_trouble_is_not_given_more_and_more() {
    let (app, count) = failing(usize::MAX, unavailable());
    let server = Server::start(app).await;
    let channel = server.channel(no_reads);
    let calls: Vec<_> = (0..200).map(|_| call(&channel, KEY)).collect();
    for result in futures::future::join_all(calls).await {
        assert_eq!(result.unwrap_err().code(), Code::Unavailable);
    }
    let attempts = count.load(Ordering::SeqCst);
    assert!((200..=350).contains(&attempts), "200 calls were {attempts} attempts");
}

#[tokio::test]
async fn nobody_there_is_unavailable_and_may_pass() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let channel = remote(&Endpoint::new(format!("http://{address}")), no_reads).unwrap();
    let status = call(&channel, &[]).await.unwrap_err();
    assert_eq!(status.code(), Code::Unavailable);
    assert_eq!(status.get_details_error_info().unwrap().reason, "UNAVAILABLE");
    assert!(!status.message().contains("127.0.0.1"), "{}", status.message());

    let later = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(60)).await;
        Server::on(TcpListener::bind(address).await.unwrap(), app(|_| async { message("here") }), Serving::default())
    });
    assert_eq!(call(&channel, KEY).await.unwrap(), "here");
    later.await.unwrap().stop().await;
}

#[tokio::test]
async fn a_lost_connection_is_made_again() {
    let here = || app(|_| async { message("here") });
    let server = Server::start(here()).await;
    let address = server.address;
    let channel = server.channel(no_reads);
    assert_eq!(call(&channel, &[]).await.unwrap(), "here");
    server.stop().await;
    let server = Server::on(TcpListener::bind(address).await.unwrap(), here(), Serving::default());
    assert_eq!(call(&channel, KEY).await.unwrap(), "here");
    assert_eq!(call(&channel, &[]).await.unwrap(), "here");
    server.stop().await;
}

#[tokio::test]
async fn addresses_and_certificates_are_checked_at_once() {
    let problem = |endpoint: Endpoint| remote(&endpoint, no_reads).map(|_| ()).unwrap_err().to_string();
    assert!(problem(Endpoint::new("not an address")).contains("not an address"));
    assert!(problem(Endpoint::new("https://localhost:1")).contains("certificate"));
    let tls = Some(pavise_mesh::ClientTls::default());
    assert!(problem(Endpoint { tls: tls.clone(), ..Endpoint::new("http://localhost:1") }).contains("https"));
    assert!(problem(Endpoint { tls, ..Endpoint::new("https://localhost:1") }).contains("authority"));
    let missing = pavise_mesh::ClientTls { ca: Some("/nowhere/ca.pem".into()), ..Default::default() };
    assert!(
        problem(Endpoint { tls: Some(missing), ..Endpoint::new("https://localhost:1") }).contains("/nowhere/ca.pem")
    );
}
