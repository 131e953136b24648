//! A mail server that takes every mail and keeps what it was sent.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// How long a mail may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running mail server.
pub(crate) struct MailServer {
    /// Its address, as a setting.
    pub(crate) url: String,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// The recipient and the lines of each mail.
    mails: Mutex<Vec<(String, String)>>,
    /// Whether taken mails are not answered.
    is_silent: AtomicBool,
}

impl MailServer {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        let state = Arc::<State>::default();
        let kept = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&kept)));
            }
        });
        Self { url, state }
    }

    /// Takes mails and does not say so, or says so again.
    pub(crate) fn set_silent(&self, silent: bool) {
        self.state.is_silent.store(silent, Ordering::SeqCst);
    }

    /// The mails to an address, once there are so many.
    pub(crate) async fn wait_for(&self, address: &str, count: usize) -> Vec<String> {
        let began = Instant::now();
        loop {
            let found = self.mails_to(address);
            if found.len() >= count {
                return found;
            }
            assert!(began.elapsed() < PATIENCE, "{} of {count} mails to {address}", found.len());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The mails to an address.
    pub(crate) fn mails_to(&self, address: &str) -> Vec<String> {
        let all = self.state.mails.lock().unwrap();
        all.iter().filter(|(to, _)| to == address).map(|(_, mail)| mail.clone()).collect()
    }
}

/// The value of a head line of a mail.
pub(crate) fn head<'m>(mail: &'m str, name: &str) -> Option<&'m str> {
    mail.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

async fn serve(stream: TcpStream, state: Arc<State>) {
    let mut lines = BufReader::new(stream);
    let (mut to, mut mail) = (String::new(), None::<String>);
    let mut answer = "220 test".to_owned();
    loop {
        if lines.write_all(format!("{answer}\r\n").as_bytes()).await.is_err() {
            return;
        }
        loop {
            let mut line = String::new();
            if lines.read_line(&mut line).await.unwrap_or(0) == 0 {
                return;
            }
            let line = line.trim_end_matches(['\r', '\n']);
            if let Some(text) = &mut mail {
                if line != "." {
                    text.push_str(line);
                    text.push('\n');
                    continue;
                }
                state.mails.lock().unwrap().push((to.clone(), mail.take().unwrap_or_default()));
                while state.is_silent.load(Ordering::SeqCst) {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                answer = "250 taken".to_owned();
                break;
            }
            answer = match line {
                "DATA" => {
                    mail = Some(String::new());
                    "354 go on".to_owned()
                }
                "QUIT" => "221 bye".to_owned(),
                _ => {
                    if let Some(rest) = line.strip_prefix("RCPT TO:<") {
                        rest.split('>').next().unwrap_or_default().clone_into(&mut to);
                    }
                    "250 test".to_owned()
                }
            };
            break;
        }
    }
}
