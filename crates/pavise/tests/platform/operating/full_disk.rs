//! A server whose disk takes no more: it is alive and reads, but is not ready until the disk takes writes again.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::{printed, url};

/// A server whose files the test can limit in size. It is killed when this goes away.
struct Limited {
    child: Child,
    admin: String,
}

impl Limited {
    /// Starts a server that ignores SIGXFSZ: a write beyond the limit then fails, as on a full disk.
    fn start(database: &Path) -> Self {
        let free = || std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let (listen, admin, database) = (free(), free(), url(database));
        let mut command = Command::new("sh");
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_pavise"), "serve"]);
        command.args(["--listen", &listen, "--admin-listen", &admin, "--database", &database]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(lines.by_ref().any(|line| line.unwrap().contains("Pavise serves")), "it ended");
        // The log is read on, so that the server never waits for its reader.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, admin }
    }

    /// Limits the size of files that the server may write.
    fn limit(&self, bytes: &str) {
        let (pid, limit) = (self.child.id().to_string(), format!("--fsize={bytes}:unlimited"));
        assert!(Command::new("prlimit").args(["--pid", &pid, &limit]).status().unwrap().success());
    }

    async fn status(&self, path: &str) -> (u16, String) {
        pavise_mesh::choose_tls_provider();
        let response = reqwest::get(format!("http://{}{path}", self.admin)).await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }
}

impl Drop for Limited {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_a_full_disk_is_not_ready() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("pavise.db");
    let server = Limited::start(&database);
    assert_eq!(server.status("/readyz").await, (200, "ready\n".to_owned()));
    server.limit("0");
    for _ in 0..3 {
        assert_eq!(server.status("/readyz").await, (503, "the database takes no writes\n".to_owned()));
    }
    assert_eq!(server.status("/healthz").await.0, 200);
    server.limit("unlimited");
    assert_eq!(server.status("/readyz").await, (200, "ready\n".to_owned()), "well again without a restart");
    drop(server);
    assert!(printed(&["journal", "verify", "--database", &url(&database)]).contains("sound"));
}
