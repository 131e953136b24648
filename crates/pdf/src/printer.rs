//! Prints pages with a browser.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use tokio::process::Command;
use tokio::sync::Semaphore;
use url::Url;

use crate::hosts::AllowedHosts;
use crate::proxy::{MEMORY, Proxy, Reach};

/// Pages that are printed at once.
const AT_ONCE: usize = 2;
/// Pages that are printed, or wait for it.
const QUEUE: usize = 16;
/// How long a page waits for its turn.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a page is printed.
const WHOLE: Duration = Duration::from_secs(30);
/// The most bytes of a printed page.
const LARGEST: u64 = 50 << 20;

/// Why a page was not printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PdfFault {
    /// There is no browser.
    NotConfigured,
    /// Too many pages wait.
    Busy,
    /// The cause, for the log.
    Failed(String),
}

impl fmt::Display for PdfFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotConfigured => f.write_str("there is no browser"),
            Self::Busy => f.write_str("too many pages wait"),
            Self::Failed(cause) => f.write_str(cause),
        }
    }
}

/// Prints pages; cheap to clone.
#[derive(Debug, Clone)]
pub struct PdfPrinter(Option<Arc<Browser>>);

#[derive(Debug)]
struct Browser {
    program: PathBuf,
    turns: Semaphore,
    queue: AtomicUsize,
}

/// A place in the queue.
struct Place<'b>(&'b AtomicUsize);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl PdfPrinter {
    /// Prints with a browser.
    #[must_use]
    pub fn new(program: PathBuf) -> Self {
        Self(Some(Arc::new(Browser { program, turns: Semaphore::new(AT_ONCE), queue: AtomicUsize::new(0) })))
    }

    /// Prints nothing.
    #[must_use]
    pub fn not_configured() -> Self {
        Self(None)
    }

    /// Prints the page at an address that the hosts admit.
    ///
    /// # Errors
    /// Why it was not printed.
    pub async fn print_page(&self, url: &Url, hosts: AllowedHosts) -> Result<Vec<u8>, PdfFault> {
        if !hosts.admits(url) {
            return Err(PdfFault::Failed("the host of the page is not admitted".to_owned()));
        }
        let main = url.host_str().unwrap_or_default().to_owned();
        self.print(url.as_str(), Reach { page: None, hosts, main }).await
    }

    /// Prints a page that is in memory. It loads nothing and runs nothing.
    ///
    /// # Errors
    /// Why it was not printed.
    pub async fn print_html(&self, html: String) -> Result<Vec<u8>, PdfFault> {
        let reach = Reach { page: Some(Bytes::from(html)), main: MEMORY.to_owned(), ..Reach::default() };
        self.print(&format!("http://{MEMORY}/"), reach).await
    }

    async fn print(&self, address: &str, reach: Reach) -> Result<Vec<u8>, PdfFault> {
        let Some(browser) = &self.0 else { return Err(PdfFault::NotConfigured) };
        let waiting = browser.queue.fetch_add(1, Ordering::Relaxed);
        let _place = Place(&browser.queue);
        if waiting >= QUEUE {
            return Err(PdfFault::Busy);
        }
        let turn = tokio::time::timeout(PATIENCE, browser.turns.acquire()).await;
        let _turn = turn.map_err(|_| PdfFault::Busy)?.map_err(|_| PdfFault::Busy)?;
        let printed = tokio::time::timeout(WHOLE, browser.run(address, reach)).await;
        printed.map_err(|_| PdfFault::Failed("the page took too long".to_owned()))?
    }
}

impl Browser {
    async fn run(&self, address: &str, reach: Reach) -> Result<Vec<u8>, PdfFault> {
        let failed = |cause: std::io::Error| PdfFault::Failed(cause.to_string());
        let folder = tempfile::Builder::new().prefix("pavise-print").tempdir().map_err(failed)?;
        let proxy = Proxy::start(reach).await.map_err(failed)?;
        let (page, profile) = (folder.path().join("page.pdf"), folder.path().join("profile"));
        let mut command = Command::new(&self.program);
        command.args(arguments(&page, &profile, &proxy.address.to_string())).arg(address);
        // The browser gets none of the server's settings, which hold secrets.
        command.env_clear().env("HOME", folder.path()).env("TMPDIR", folder.path()).env("LANG", "C.UTF-8");
        command.env("PATH", std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into()));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let missing = |cause: std::io::Error| match cause.kind() {
            std::io::ErrorKind::NotFound => PdfFault::NotConfigured,
            _ => failed(cause),
        };
        let ended = command.spawn().map_err(missing)?.wait().await.map_err(failed)?;
        if !ended.success() {
            return Err(PdfFault::Failed(format!("the browser ended with {ended}")));
        }
        if !proxy.has_served() {
            return Err(PdfFault::Failed("the page could not be reached".to_owned()));
        }
        let size = tokio::fs::metadata(&page).await.map_err(failed)?.len();
        if size > LARGEST {
            return Err(PdfFault::Failed(format!("the printed page has {size} bytes")));
        }
        let printed = tokio::fs::read(&page).await.map_err(failed)?;
        if printed.starts_with(b"%PDF") {
            Ok(printed)
        } else {
            Err(PdfFault::Failed("the browser printed no PDF".to_owned()))
        }
    }
}

fn arguments(page: &Path, profile: &Path, proxy: &str) -> Vec<String> {
    let mut arguments: Vec<String> = [
        "--headless=new",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-extensions",
        "--disable-sync",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-client-side-phishing-detection",
        "--no-first-run",
        "--no-default-browser-check",
        "--no-pings",
        "--mute-audio",
        // Nothing passes the proxy by: neither this machine's own addresses, nor datagrams, nor a lookup of names.
        "--proxy-bypass-list=<-loopback>",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--disable-quic",
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        "--no-pdf-header-footer",
        "--virtual-time-budget=5000",
    ]
    .map(str::to_owned)
    .to_vec();
    arguments.push(format!("--proxy-server=http://{proxy}"));
    arguments.push(format!("--user-data-dir={}", profile.display()));
    arguments.push(format!("--print-to-pdf={}", page.display()));
    if is_root() {
        // The browser's own sandbox refuses to run as root, as in a container or a test.
        arguments.push("--no-sandbox".to_owned());
    }
    arguments
}

/// Whether this process is root's.
fn is_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ids = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    ids.and_then(|ids| ids.split_whitespace().nth(1)) == Some("0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn without_a_browser_nothing_is_printed() {
        let none = PdfPrinter::not_configured();
        assert_eq!(none.print_html("<p>x".to_owned()).await, Err(PdfFault::NotConfigured));
        let missing = PdfPrinter::new("/nowhere/chromium".into());
        assert_eq!(missing.print_html("<p>x".to_owned()).await, Err(PdfFault::NotConfigured));
    }

    #[tokio::test]
    async fn a_full_queue_refuses() {
        let printer = PdfPrinter::new("/nowhere/chromium".into());
        printer.0.as_ref().unwrap().queue.store(QUEUE, Ordering::Relaxed);
        assert_eq!(printer.print_html("<p>x".to_owned()).await, Err(PdfFault::Busy));
        assert_eq!(printer.0.as_ref().unwrap().queue.load(Ordering::Relaxed), QUEUE);
    }
}
