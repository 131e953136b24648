//! A server as a process of its own.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use pavise::domains;
use pavise_kernel::Caller;
use pavise_kernel::peers::{PeerChannel, Peers};
use pavise_kernel::time::{Clock as _, SystemClock};
use pavise_kernel::token::{TokenKey, issue_token};
use pavise_mesh::Endpoint;

const MESH_SECRET: &str = "the mesh secret of the proofs";
const KEY_SECRET: &str = "the key secret of the proofs";
/// How long a start may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running `pavise serve`; it is killed when this goes away.
pub(crate) struct Server {
    child: Child,
    /// Where it listens: `http://127.0.0.1:…`.
    pub(crate) base: String,
    /// Where it says how it is: `http://127.0.0.1:…`.
    pub(crate) admin: String,
    log: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts one on a database, on ports of its own; back when it listens.
    pub(crate) fn start(database: &str) -> Self {
        Self::start_with(database, &[])
    }

    /// The same with further settings, as environment variables.
    pub(crate) fn start_with(database: &str, settings: &[(&str, &str)]) -> Self {
        Self::several(free_port, database, settings)
    }

    /// The same on a port that others know already.
    pub(crate) fn start_at(port: u16, database: &str, settings: &[(&str, &str)]) -> Self {
        Self::several(|| port, database, settings)
    }

    fn several(port: impl Fn() -> u16, database: &str, settings: &[(&str, &str)]) -> Self {
        tokio::task::block_in_place(|| {
            // Another process may take a port between its reservation and its use.
            let mut said = Vec::new();
            for _ in 0..5 {
                match Self::attempt(port(), database, settings) {
                    Ok(server) => return server,
                    Err(log) => said = log,
                }
            }
            panic!("the server does not start: {}", said.join("\n"))
        })
    }

    fn attempt(port: u16, database: &str, settings: &[(&str, &str)]) -> Result<Self, Vec<String>> {
        let admin = free_port();
        let mut command =
            Command::new(std::env::var_os("PAVISE_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_pavise").into()));
        command.arg("serve").args([
            "--listen",
            &format!("127.0.0.1:{port}"),
            "--admin-listen",
            &format!("127.0.0.1:{admin}"),
        ]);
        command.args([
            "--database",
            database,
            "--mesh-secret",
            MESH_SECRET,
            "--key-secret",
            KEY_SECRET,
            "--test-vendor",
            "--log",
            "warn",
        ]);
        command.envs(settings.iter().copied());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stderr = child.stderr.take().unwrap();
        let log = Arc::new(Mutex::new(Vec::new()));
        let server = Self {
            child,
            base: format!("http://127.0.0.1:{port}"),
            admin: format!("http://127.0.0.1:{admin}"),
            log: Arc::clone(&log),
        };
        let (says, hears) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let ready = line.starts_with("Pavise serves");
                log.lock().unwrap().push(line);
                if ready {
                    let _ = says.send(());
                }
            }
        });
        match hears.recv_timeout(PATIENCE) {
            Ok(()) => Ok(server),
            Err(_) => Err(server.said()),
        }
    }

    /// The log of the server.
    pub(crate) fn said(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    /// How much memory it has, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    /// Fills the shop with the demonstration's catalog.
    pub(crate) async fn stock(&self) {
        let peers = Peers::default();
        let transport = pavise_mesh::remote(&Endpoint::new(self.base.clone()), domains::reads).unwrap();
        let transports = ["catalog", "documents"].map(|domain| (domain.to_owned(), transport.clone()));
        peers.set_transports(BTreeMap::from(transports));
        let channel = |domain: &str| PeerChannel::new(&peers, domain, &token(), "", None);
        pavise_testapp::stock(channel).await.unwrap();
    }

    /// SIGKILL: no word to its callers, nothing flushed.
    pub(crate) fn kill(self) {
        drop(self);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A token that may do everything.
pub(crate) fn token() -> String {
    issue_token(
        &Caller::platform("proofs"),
        Duration::from_secs(4 * 3600),
        &TokenKey::mesh(MESH_SECRET.as_bytes()),
        SystemClock.now(),
    )
}

/// A port that nobody has.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
