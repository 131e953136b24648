//! The built program as an operator meets it: what it refuses to start with, what it leaves behind, what it prints.
#![expect(clippy::unwrap_used, reason = "tests")]

mod certificates;
mod commands;
mod full_disk;
mod headers;
mod loading;
mod mesh_secret;
mod new_domain;
mod stopping;
mod test_clock;
mod test_vendor;
mod workers;

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

/// A running `pavise serve`; it is killed when this goes away.
struct Server {
    child: Child,
    listen: String,
    admin: String,
    stderr: BufReader<std::process::ChildStderr>,
}

impl Server {
    /// Starts one on a database.
    fn start(database: &Path, more: &[&str]) -> Self {
        Self::of(Path::new(env!("CARGO_BIN_EXE_pavise")), database, more)
    }

    /// Starts one of another program.
    fn of(program: &Path, database: &Path, more: &[&str]) -> Self {
        let free = || format!("127.0.0.1:{}", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port());
        let (listen, admin) = (free(), free());
        let mut command = Command::new(program);
        command
            .env_clear()
            .args(["serve", "--listen", &listen, "--admin-listen", &admin, "--database", &url(database)])
            .args(more);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        Self { child, listen, admin, stderr }
    }

    /// Waits until the server serves.
    fn ready(self) -> Self {
        self.says("Pavise serves")
    }

    /// Waits until the server has logged that text.
    fn says(mut self, wanted: &str) -> Self {
        let mut said = String::new();
        while !said.contains(wanted) {
            assert!(self.stderr.read_line(&mut said).unwrap() > 0, "it ended: {said}");
        }
        self
    }

    /// SIGTERM.
    fn stop(&self) {
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(told.success());
    }

    /// The log to the end, and the exit status.
    fn end(mut self) -> (ExitStatus, String) {
        let mut said = String::new();
        self.stderr.read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap(), said)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program without any settings.
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pavise"));
    command.env_clear();
    command
}

fn url(database: &Path) -> String {
    format!("sqlite://{}", database.display())
}

/// The output of the program, which must succeed.
fn printed(arguments: &[&str]) -> String {
    let output = program().args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
