use std::time::{Duration, Instant};

use axum::Router;
use pavise_mesh::{Drained, Serving};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio_util::sync::CancellationToken;

use crate::scene::{GET, Server, app, call, message, say};

/// An app that says when a call has arrived, and answers once it may.
fn held() -> (Router, UnboundedReceiver<()>, CancellationToken) {
    let (arrived, arrivals) = unbounded_channel();
    let may_answer = CancellationToken::new();
    let go = may_answer.clone();
    let app = app(move |_| {
        let (arrived, go) = (arrived.clone(), go.clone());
        async move {
            arrived.send(()).unwrap();
            go.cancelled().await;
            message("done")
        }
    });
    (app, arrivals, may_answer)
}

fn no_reads(_: &str) -> bool {
    false
}

#[tokio::test]
async fn calls_in_flight_finish_and_new_ones_are_refused() {
    let (app, mut arrivals, may_answer) = held();
    let server = Server::start(app).await;
    let address = server.address;
    let channel = server.channel(no_reads);
    let grpc = tokio::spawn(async move { call(&channel, &[]).await });
    let plain = tokio::spawn(say(server.connect().await, GET));
    for _ in 0..2 {
        arrivals.recv().await.unwrap();
    }
    let stopping = tokio::spawn(server.stop());
    // Until nobody listens any more.
    while TcpStream::connect(address).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    may_answer.cancel();
    assert_eq!(grpc.await.unwrap().unwrap(), "done");
    assert!(plain.await.unwrap().contains("done"));
    assert_eq!(stopping.await.unwrap(), Drained { open: 2, cut: 0 });
}

#[tokio::test]
async fn connections_without_a_call_do_not_keep_the_server() {
    let (app, _arrivals, may_answer) = held();
    may_answer.cancel();
    let server = Server::start(app).await;
    let silent = server.connect().await;
    let mut kept = server.connect().await;
    kept.write_all(b"GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    let mut some = [0; 12];
    kept.read_exact(&mut some).await.unwrap();
    assert_eq!(&some, b"HTTP/1.1 200");
    let channel = server.channel(no_reads);
    call(&channel, &[]).await.unwrap();
    let began = Instant::now();
    assert_eq!(server.stop().await.cut, 0);
    assert!(began.elapsed() < Duration::from_secs(2));
    drop((silent, kept, channel));
}

#[tokio::test]
async fn what_does_not_end_is_cut_when_the_grace_is_over_and_counted() {
    let (app, mut arrivals, _never) = held();
    let server = Server::with(app, Serving { grace: Duration::from_millis(200), ..Serving::default() }).await;
    let channel = server.channel(no_reads);
    let hanging = tokio::spawn(async move { call(&channel, &[]).await });
    arrivals.recv().await.unwrap();
    assert_eq!(server.stop().await, Drained { open: 1, cut: 1 });
    assert_eq!(hanging.await.unwrap().unwrap_err().code(), tonic::Code::Unavailable);
}
