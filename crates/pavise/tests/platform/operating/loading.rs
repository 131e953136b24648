//! A server that loads the demonstration's data: alive, but neither ready nor open until they are there.

use std::io::ErrorKind;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pavise::engine;
use pavise_kernel::store::Store;
use tokio::task::JoinHandle;

use super::{Server, url};

/// The status of a GET of the admin port.
async fn status(server: &Server, path: &str) -> u16 {
    pavise_mesh::choose_tls_provider();
    reqwest::get(format!("http://{}{path}", server.admin)).await.unwrap().status().as_u16()
}

/// Another process that loads, and does not get on.
struct Loader {
    store: Arc<dyn Store>,
    beat: JoinHandle<()>,
}

impl Loader {
    async fn begin(database: &Path) -> Self {
        let store = engine::open(&url(database), 1, &[]).await.unwrap();
        assert!(lease(&store).await, "nobody loads yet");
        let beating = Arc::clone(&store);
        let beat = tokio::spawn(async move {
            while lease(&beating).await {
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        });
        Self { store, beat }
    }

    async fn end(self) {
        self.beat.abort();
        let _ = self.beat.await;
        self.store.release("demo.load", "this test").await.unwrap();
    }
}

async fn lease(store: &Arc<dyn Store>) -> bool {
    store.lease("demo.load", "this test", Duration::from_secs(5)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_served_before_the_data_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("pavise.db");
    let loader = Loader::begin(&database).await;
    let server = Server::start(&database, &["--demo-data", "--demo-members", "1"]).says("Another process loads");
    assert_eq!((status(&server, "/healthz").await, status(&server, "/readyz").await), (200, 503));
    assert_eq!(TcpStream::connect(&server.listen).unwrap_err().kind(), ErrorKind::ConnectionRefused);

    loader.end().await;
    let server = server.says("Sign-ins of the demonstration");
    assert_eq!(status(&server, "/readyz").await, 200);
    drop(TcpStream::connect(&server.listen).unwrap());
    server.stop();
    let (ended, said) = server.end();
    assert!(ended.success(), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_still_loads_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("pavise.db");
    let loader = Loader::begin(&database).await;
    let server = Server::start(&database, &["--demo-data"]).says("Another process loads");
    server.stop();
    let (ended, said) = server.end();
    assert!(ended.success() && !said.contains("Pavise serves"), "{said}");
    loader.end().await;
}
