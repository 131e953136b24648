//! Everything that the tests of a process log, at every level, and the search in it for what nobody should find there.
//!
//! A test keeps a [`Watch`] while it runs. When that goes away, what was logged meanwhile holds none of the secrets that
//! the process's tests used or were given, as far as they were [`known`], and nothing that looks like one.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// What is logged: all of the platform, and what operators can switch on of what it is built on.
const FILTER: &str = "debug,pavise=trace";
/// What no line has in it, whatever the secret: how tokens, hashes of passwords, cookies, keys and the addresses of
/// authenticator apps begin.
const MARKS: [&str; 9] = [
    "eyJhbGci",
    "eyJ0eXAi",
    "$argon2",
    "pavise_session=",
    "pavise_refresh=",
    "pavise_acting=",
    "pvk_",
    "otpauth://",
    "PRIVATE KEY",
];
/// A text that is shorter is no secret that could be told from other text.
const SHORTEST: usize = 8;

/// What was logged, and what must not be in it.
#[derive(Debug, Default)]
struct Kept {
    text: Mutex<Vec<u8>>,
    secrets: Mutex<BTreeSet<String>>,
}

/// Writes into what is kept.
#[derive(Debug, Clone, Copy)]
struct Pen;

impl io::Write for Pen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&kept().text).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Pen {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        *self
    }
}

/// Listens to the logs of the process while it is there.
#[derive(Debug)]
pub struct Watch {
    from: usize,
}

impl Watch {
    /// Begins to listen.
    ///
    /// # Panics
    /// When the process logs elsewhere.
    #[must_use]
    pub fn begin() -> Self {
        static LISTENS: OnceLock<bool> = OnceLock::new();
        let listens = LISTENS.get_or_init(|| {
            let subscriber = tracing_subscriber::fmt().with_env_filter(EnvFilter::new(FILTER)).with_ansi(false);
            tracing::subscriber::set_global_default(subscriber.with_writer(Pen).finish()).is_ok()
        });
        assert!(*listens, "the process logs elsewhere: nobody would know what");
        Self { from: lock(&kept().text).len() }
    }

    /// What was logged since.
    #[must_use]
    pub fn text(&self) -> String {
        let text = lock(&kept().text);
        String::from_utf8_lossy(text.get(self.from..).unwrap_or_default()).into_owned()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let found = search(&self.text());
            assert!(found.is_empty(), "secrets are in the logs:\n{}", found.join("\n"));
        }
    }
}

/// From now on no log of the process may have this in it, nor the part of a token that only its maker knows.
pub fn known(secret: &str) {
    let telling = [secret, secret.rsplit('.').next().unwrap_or(secret)];
    lock(&kept().secrets).extend(telling.into_iter().filter(|text| text.len() >= SHORTEST).map(str::to_owned));
}

/// The lines that hold a secret, with as much of them as says where it comes from.
#[must_use]
pub fn search(text: &str) -> Vec<String> {
    let secrets = lock(&kept().secrets);
    // What is one word can be looked up; what has spaces in it is looked for.
    let (words, phrases): (BTreeSet<_>, BTreeSet<_>) =
        secrets.iter().map(String::as_str).partition(|text| text.bytes().all(in_word));
    let holds = |line: &str| {
        MARKS.iter().any(|mark| line.contains(mark))
            || phrases.iter().any(|phrase| line.contains(phrase))
            || line.split(|letter: char| !u8::try_from(letter).is_ok_and(in_word)).any(|word| words.contains(word))
    };
    let found = text.lines().filter(|line| holds(line));
    found.map(|line| line.chars().take(160).collect::<String>() + "…").take(5).collect()
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

fn kept() -> &'static Kept {
    static KEPT: OnceLock<Kept> = OnceLock::new();
    KEPT.get_or_init(Kept::default)
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_found_wherever_it_is_in_a_line() {
        known("a horse of the stars");
        known("head.body.a-signature_of_it");
        known("short");
        for line in [
            "INFO a: password=\"a horse of the stars\"",
            "DEBUG b: [a-signature_of_it]",
            "INFO c: Bearer eyJhbGciOi",
            "$argon2id$v=19",
        ] {
            assert_eq!(search(&format!("INFO well\n{line}\nINFO well")).len(), 1, "{line}");
        }
        assert!(search("INFO a short word, a horse of the sea, head.body").is_empty());
    }
}
