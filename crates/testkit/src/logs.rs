//! Keeps all logs of a process's tests, at every level, and searches them for secrets.
//!
//! A test keeps a [`LogWatch`] while it runs. At its end, the logs since then must hold no [`known`] secret of the
//! process's tests, no value of a person, in whatever case, and no text that looks like a secret.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// The filter of logs: all of the platform, and the debug lines of its libraries, which operators can switch on.
const FILTER: &str = "debug,pavise=trace";
/// Texts that no line may contain, whatever the secret: the first letters of tokens, hashes of passwords, cookies, keys
/// and the addresses of authenticator apps.
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
/// A shorter text is no secret: it cannot be told from other text.
const SHORTEST: usize = 8;
/// A shorter text is no value of a person: it may be part of anything.
const SHORTEST_VALUE: usize = 4;

/// The logged lines, and the texts that must not be in them.
#[derive(Debug, Default)]
struct Kept {
    text: Mutex<Text>,
    secrets: Mutex<BTreeSet<String>>,
    /// The values of people, in lower case.
    values: Mutex<BTreeSet<String>>,
}

/// The end of the logs, from the start of the oldest watch.
#[derive(Debug, Default)]
struct Text {
    bytes: Vec<u8>,
    /// The number of bytes dropped before these.
    dropped: usize,
    /// The starts of the watches.
    watches: Vec<usize>,
}

impl Text {
    fn end(&self) -> usize {
        self.dropped + self.bytes.len()
    }

    fn since(&self, from: usize) -> &[u8] {
        self.bytes.get(from.saturating_sub(self.dropped)..).unwrap_or_default()
    }

    /// Ends a watch, and drops the text that no other watch needs.
    fn leave(&mut self, from: usize) {
        if let Some(place) = self.watches.iter().position(|one| *one == from) {
            self.watches.swap_remove(place);
        }
        let oldest = self.watches.iter().copied().min().unwrap_or_else(|| self.end());
        self.bytes.drain(..oldest.saturating_sub(self.dropped).min(self.bytes.len()));
        self.dropped = oldest;
    }
}

/// Writes into the kept logs.
#[derive(Debug, Clone, Copy)]
struct Pen;

impl io::Write for Pen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = lock(&kept().text);
        if !text.watches.is_empty() {
            text.bytes.extend_from_slice(bytes);
        }
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

/// Keeps the logs of the process while it exists.
#[derive(Debug)]
pub struct LogWatch {
    from: usize,
}

impl LogWatch {
    /// Begins to listen.
    ///
    /// # Panics
    /// When the process has another logger.
    #[must_use]
    pub fn begin() -> Self {
        static LISTENS: OnceLock<bool> = OnceLock::new();
        let listens = LISTENS.get_or_init(|| {
            let subscriber = tracing_subscriber::fmt().with_env_filter(EnvFilter::new(FILTER)).with_ansi(false);
            tracing::subscriber::set_global_default(subscriber.with_writer(Pen).finish()).is_ok()
        });
        assert!(*listens, "the process logs elsewhere: nobody would know what");
        let mut text = lock(&kept().text);
        let from = text.end();
        text.watches.push(from);
        Self { from }
    }

    /// The lines logged since then.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(lock(&kept().text).since(self.from)).into_owned()
    }
}

impl Drop for LogWatch {
    fn drop(&mut self) {
        let text = self.text();
        lock(&kept().text).leave(self.from);
        if !std::thread::panicking() {
            let found = search(&text);
            assert!(found.is_empty(), "secrets are in the logs:\n{}", found.join("\n"));
        }
    }
}

/// Forbids this text in all later logs of the process. Of a token it forbids the part that only its maker knows.
pub fn known(secret: &str) {
    let last = secret.rsplit('.').next().unwrap_or(secret);
    // A search looks words up at once, but tries each other text in each line. A token is found by its signature.
    let telling = if last.len() >= SHORTEST && last.bytes().all(in_word) { last } else { secret };
    if telling.len() >= SHORTEST {
        lock(&kept().secrets).insert(telling.to_owned());
    }
}

/// Forbids a value of a person in all later logs of the process, whatever its case. It may be as short as a name: it is found
/// as whole words only.
pub fn known_in_any_case(value: &str) {
    if value.len() >= SHORTEST_VALUE {
        lock(&kept().values).insert(value.to_ascii_lowercase());
    }
}

/// The lines that hold a secret, with as much of them as says where it comes from.
#[must_use]
pub fn search(text: &str) -> Vec<String> {
    // Copies: tests beside this one get tokens meanwhile, and would wait with everything that they serve.
    let (secrets, values) = (lock(&kept().secrets).clone(), lock(&kept().values).clone());
    let (secrets, values) = (Forbidden::new(&secrets), Forbidden::new(&values));
    let holds = |line: &str| {
        MARKS.iter().any(|mark| line.contains(mark))
            || secrets.is_in(line)
            || (!values.is_empty() && values.is_in(&line.to_ascii_lowercase()))
    };
    let found = text.lines().filter(|line| holds(line));
    found.map(|line| line.chars().take(160).collect::<String>() + "…").take(5).collect()
}

/// Texts that a line must not have. One of a single word is looked up among the line's words; one with spaces or other marks
/// is searched for.
struct Forbidden<'t> {
    words: BTreeSet<&'t str>,
    phrases: BTreeSet<&'t str>,
}

impl<'t> Forbidden<'t> {
    fn new(texts: &'t BTreeSet<String>) -> Self {
        let (words, phrases) = texts.iter().map(String::as_str).partition(|text| text.bytes().all(in_word));
        Self { words, phrases }
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.phrases.is_empty()
    }

    fn is_in(&self, line: &str) -> bool {
        self.phrases.iter().any(|phrase| line.contains(phrase))
            || line.split(|letter: char| !u8::try_from(letter).is_ok_and(in_word)).any(|word| self.words.contains(word))
    }
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
    fn text_is_kept_for_the_oldest_watch_and_no_longer() {
        let mut text = Text::default();
        text.watches.push(text.end());
        text.bytes.extend_from_slice(b"first ");
        let second = text.end();
        text.watches.push(second);
        text.bytes.extend_from_slice(b"second");
        text.leave(0);
        assert_eq!(text.since(second), b"second");
        assert_eq!(text.bytes, b"second");
        text.leave(second);
        assert!(text.bytes.is_empty());
        assert_eq!(text.end(), 12);
    }

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

    #[test]
    fn a_value_of_a_person_is_found_in_any_case_and_as_a_whole() {
        known_in_any_case("Zaphira");
        known_in_any_case("47 Ember Lane");
        known_in_any_case("abc");
        for line in ["INFO a: name=\"ZAPHIRA\"", "DEBUG b: zaphira.moss@example.com", "TRACE c: at 47 EMBER lane"] {
            assert_eq!(search(&format!("INFO well\n{line}\nINFO well")).len(), 1, "{line}");
        }
        assert!(search("INFO zaphiras and 47 Ember Road, abc").is_empty());
    }
}
