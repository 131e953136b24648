//! A server whose payments move no money says so at each start.

use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use super::Server;

const WARNING: &str = "the test vendor is on: its charges move no money";

/// The log of a server from its start to its end.
async fn log(database: &Path, more: &[&str]) -> String {
    let server = Server::start(database, more);
    let began = Instant::now();
    while TcpStream::connect(&server.listen).is_err() {
        assert!(began.elapsed() < Duration::from_secs(30), "it does not listen");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    server.stop();
    server.end().1
}

#[tokio::test(flavor = "multi_thread")]
async fn each_start_with_the_test_vendor_warns() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("pavise.db");
    for start in ["first", "second"] {
        let said = log(&database, &["--test-vendor"]).await;
        assert!(said.contains("WARN") && said.contains(WARNING), "{start}: {said}");
    }
    let said = log(&database, &[]).await;
    assert!(!said.contains(WARNING), "{said}");
}
