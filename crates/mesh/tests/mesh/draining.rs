use std::time::{Duration, Instant};

use axum::Router;
use pavise_mesh::{Drained, Serving};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::scene::{GET, Server, app, call, message, never, say};

fn slow(time: Duration) -> Router {
    app(move |_| async move {
        tokio::time::sleep(time).await;
        message("done")
    })
}

fn no_reads(_: &str) -> bool {
    false
}

#[tokio::test]
async fn calls_in_flight_finish_and_new_ones_are_refused() {
    let server = Server::start(slow(Duration::from_millis(400))).await;
    let address = server.address;
    let channel = server.channel(no_reads);
    let grpc = tokio::spawn(async move { call(&channel, &[]).await });
    let plain = tokio::spawn(say(server.connect().await, GET));
    tokio::time::sleep(Duration::from_millis(150)).await;
    let stopping = tokio::spawn(server.stop());
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens any more");
    assert_eq!(grpc.await.unwrap().unwrap(), "done");
    assert!(plain.await.unwrap().contains("done"));
    assert_eq!(stopping.await.unwrap(), Drained { open: 2, cut: 0 });
}

#[tokio::test]
async fn connections_without_a_call_do_not_keep_the_server() {
    let server = Server::start(slow(Duration::ZERO)).await;
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
    let server = Server::with(app(never), Serving { grace: Duration::from_millis(200), ..Serving::default() }).await;
    let channel = server.channel(no_reads);
    let hanging = tokio::spawn(async move { call(&channel, &[]).await });
    tokio::time::sleep(Duration::from_millis(150)).await;
    let began = Instant::now();
    assert_eq!(server.stop().await, Drained { open: 1, cut: 1 });
    assert!(began.elapsed() < Duration::from_secs(2));
    assert_eq!(hanging.await.unwrap().unwrap_err().code(), tonic::Code::Unavailable);
}
