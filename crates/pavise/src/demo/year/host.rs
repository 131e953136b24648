//! A server of the run's own, on an empty database that goes with it.

use std::fs::{DirBuilder, File};
use std::net::TcpListener;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use pavise_kernel::hex::to_hex;
use pavise_kernel::time::Ids;

/// The day on which its clock begins, whatever day the machine has.
const BEGINS_ON: &str = "2026-01-01";
/// How long its start may take.
const PATIENCE: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(50);
/// The lines of its log that are shown when it does not start.
const LINES: usize = 5;

/// The server. It ends with this, and its folder goes.
#[derive(Debug)]
pub struct Host {
    /// None until it is started.
    child: Option<Child>,
    folder: PathBuf,
    base: String,
    secret: String,
}

impl Host {
    /// Starts this program as a server, and waits until it listens.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start() -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("this program is not found")?;
        let mut bytes = [0; 32];
        Ids::random().fill_random(&mut bytes);
        let secret = to_hex(&bytes);
        let mut name = [0; 6];
        Ids::random().fill_random(&mut name);
        let folder = std::env::temp_dir().join(format!("pavise-year-{}", to_hex(&name)));
        DirBuilder::new()
            .mode(0o700)
            .create(&folder)
            .with_context(|| format!("{} cannot be made", folder.display()))?;
        let [address, admin] = [free_address()?, free_address()?];
        let mut host = Self { child: None, folder, base: format!("http://{address}"), secret };
        let mut command = Command::new(program);
        // Settings of the machine's own server are not for this one.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PAVISE_")) {
            command.env_remove(name);
        }
        // No list of processes shows the secret.
        command.env("PAVISE_MESH_SECRET", &host.secret);
        let database = format!("sqlite://{}", host.folder.join("pavise.db").display());
        command.args(["serve", "--listen", &address, "--admin-listen", &admin, "--database", &database]);
        command.args(["--test-vendor", "--test-clock", BEGINS_ON, "--outbox", "--log", "error"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(host.log())?);
        host.child = Some(command.spawn().context("the server cannot be started")?);
        host.wait_until_ready(&admin).await?;
        Ok(host)
    }

    /// Where it listens.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The secret that signs the tokens of programs.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.secret
    }

    fn log(&self) -> PathBuf {
        self.folder.join("log")
    }

    async fn wait_until_ready(&mut self, admin: &str) -> anyhow::Result<()> {
        let client = crate::wire::client_builder().build()?;
        let began = Instant::now();
        loop {
            let answer = client.get(format!("http://{admin}/readyz")).send().await;
            if answer.is_ok_and(|answer| answer.status().is_success()) {
                return Ok(());
            }
            let has_ended = self.child.as_mut().map(Child::try_wait).transpose()?.flatten().is_some();
            if has_ended || began.elapsed() > PATIENCE {
                let log = std::fs::read_to_string(self.log()).unwrap_or_default();
                let lines: Vec<&str> = log.lines().collect();
                let last = lines.iter().skip(lines.len().saturating_sub(LINES)).copied().collect::<Vec<_>>();
                bail!("the server does not start: {}", last.join("\n"));
            }
            tokio::time::sleep(LOOK).await;
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // Nothing of it is kept, so that it need not end in order.
            let _ = child.kill();
            let _ = child.wait();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// An address of this machine that nobody has.
fn free_address() -> anyhow::Result<String> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}
