//! A real PostgreSQL for tests: its own cluster in a temporary folder, which goes away with the test's process.

use std::fs;
use std::io::{Error, Result};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long the server may take to start or stop.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the server below a shell, which stops it when the test's process ends in any way: the shell's pipe closes
/// then.
/// A line in the pipe stops the server and keeps its folder.
const WATCHDOG: &str = r#"folder=$1; shift; "$@" & server=$!
if read -r line; then kill -QUIT $server; wait $server; else kill -QUIT $server; wait $server; rm -rf "$folder"; fi"#;

/// A cluster.
#[derive(Debug)]
pub struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
    /// The user of the server when the tests run as root: PostgreSQL refuses root.
    user: Option<(u32, u32)>,
    watchdog: Mutex<Option<Child>>,
    databases: AtomicU32,
}

/// Makes a fresh database of the process's shared cluster, and answers its URL.
///
/// # Errors
/// When there is no PostgreSQL on this machine, or it does not start.
pub async fn make_database() -> Result<String> {
    tokio::task::spawn_blocking(|| shared_cluster()?.make_database()).await.map_err(Error::other)?
}

/// The cluster that this process shares.
///
/// # Errors
/// When there is no PostgreSQL on this machine, or it does not start.
pub fn shared_cluster() -> Result<&'static Postgres> {
    static SHARED: OnceLock<std::result::Result<Postgres, String>> = OnceLock::new();
    SHARED
        .get_or_init(|| Postgres::start().map_err(|error| error.to_string()))
        .as_ref()
        .map_err(|error| Error::other(error.clone()))
}

impl Postgres {
    /// Makes a cluster and starts its server on a free port of the loopback address.
    ///
    /// # Errors
    /// When there is no PostgreSQL on this machine, or it does not start.
    pub fn start() -> Result<Self> {
        let programs = programs()?;
        let folder = tempfile::Builder::new().prefix("pavise-postgres-").tempdir()?;
        let user = if fs::metadata("/proc/self")?.uid() == 0 { Some(unprivileged()?) } else { None };
        if let Some((uid, gid)) = user {
            chown(folder.path(), Some(uid), Some(gid))?;
        }
        // From here on the watchdog removes the folder.
        let folder = folder.keep();
        let mut cluster =
            Self { programs, folder, port: 0, user, watchdog: Mutex::new(None), databases: AtomicU32::new(0) };
        let options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "-D"];
        run(cluster.program("initdb").args(options).arg(cluster.folder.join("data")))?;
        // The later a free port is looked for, the fewer others can take it before the server does.
        cluster.port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        cluster.start_again()?;
        Ok(cluster)
    }

    /// The URL of the maintenance database.
    #[must_use]
    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// Makes a fresh database; its URL.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn make_database(&self) -> Result<String> {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.execute(&format!("CREATE DATABASE {name}"))?;
        Ok(format!("postgres://postgres@127.0.0.1:{}/{name}", self.port))
    }

    /// Runs SQL in the maintenance database, and answers its output without decoration.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn execute(&self, sql: &str) -> Result<String> {
        run(self.program("psql").args(["--no-psqlrc", "-v", "ON_ERROR_STOP=1", "-Atqc", sql, &self.url()]))
    }

    /// Stops the server as a crash would: no checkpoint, no notice to its clients. Its folder stays.
    ///
    /// # Errors
    /// When it does not stop.
    pub fn stop_immediate(&self) -> Result<()> {
        let Some(mut watchdog) = self.watchdog().take() else { return Ok(()) };
        if let Some(mut pipe) = watchdog.stdin.take() {
            std::io::Write::write_all(&mut pipe, b"stop\n")?;
        }
        watchdog.wait().map(drop)
    }

    /// Starts the server; it recovers from its log.
    ///
    /// # Errors
    /// When it does not answer in time.
    pub fn start_again(&self) -> Result<()> {
        let mut watchdog = self.watchdog();
        if watchdog.is_some() {
            return Ok(());
        }
        let log = fs::OpenOptions::new().create(true).append(true).open(self.folder.join("log"))?;
        let mut command = self.as_user(Command::new("sh"));
        command.args(["-c", WATCHDOG, "watchdog"]).arg(&self.folder).arg(self.programs.join("postgres"));
        command.arg("-D").arg(self.folder.join("data")).args(["-p", &self.port.to_string(), "-k"]).arg(&self.folder);
        for setting in ["listen_addresses=127.0.0.1", "max_connections=500", "shared_buffers=128MB", "max_wal_size=2GB"]
        {
            command.args(["-c", setting]);
        }
        command.stdin(Stdio::piped()).stdout(log.try_clone()?).stderr(log);
        let child = watchdog.insert(command.spawn()?);
        let started = Instant::now();
        while !self
            .program("pg_isready")
            .args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()])
            .status()?
            .success()
        {
            if started.elapsed() > PATIENCE || child.try_wait()?.is_some() {
                return Err(Error::other(format!("PostgreSQL does not start: {}", self.log())));
            }
            sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// The log of the server.
    #[must_use]
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    fn program(&self, name: &str) -> Command {
        self.as_user(Command::new(self.programs.join(name)))
    }

    fn as_user(&self, mut command: Command) -> Command {
        if let Some((uid, gid)) = self.user {
            command.uid(uid).gid(gid);
        }
        command.current_dir(&self.folder);
        command
    }

    fn watchdog(&self) -> MutexGuard<'_, Option<Child>> {
        self.watchdog.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Some(mut watchdog) = self.watchdog().take() {
            drop(watchdog.stdin.take());
            _ = watchdog.wait();
        }
    }
}

/// The folder of the server's programs: `PAVISE_POSTGRES_BIN`, or else the newest version below the usual place.
fn programs() -> Result<PathBuf> {
    if let Some(folder) = std::env::var_os("PAVISE_POSTGRES_BIN") {
        return Ok(folder.into());
    }
    let versions = fs::read_dir("/usr/lib/postgresql").map_err(|_| missing())?;
    let number = |path: &Path| path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok());
    let newest =
        versions.filter_map(|version| version.ok().map(|version| version.path())).max_by_key(|path| number(path));
    newest.map(|version| version.join("bin")).filter(|folder| folder.join("postgres").exists()).ok_or_else(missing)
}

fn missing() -> Error {
    Error::other(
        "no PostgreSQL in /usr/lib/postgresql: install it, or name its programs' folder in PAVISE_POSTGRES_BIN",
    )
}

/// The user and group `postgres`.
fn unprivileged() -> Result<(u32, u32)> {
    let id = |option: &str| {
        let text = run(Command::new("id").args([option, "postgres"]))?;
        text.trim().parse().map_err(Error::other)
    };
    Ok((id("-u")?, id("-g")?))
}

fn run(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let program = command.get_program().to_string_lossy().into_owned();
    Err(Error::other(format!("{program}: {}", String::from_utf8_lossy(&output.stderr))))
}
