//! A local set of leaked passwords: a sorted text file of SHA-1 hashes, as breach corpora are given out.
//!
//! Each line has 40 hexadecimal digits, and perhaps a colon and a count behind them. A line can also have a prefix only,
//! of ten digits or more; then each password with that prefix counts as leaked. The file is searched in place, so it may
//! be larger than the memory. The password never leaves the process.

use std::fmt;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use pavise_kernel::hex::to_hex;
use sha1::{Digest as _, Sha1};

/// The fewest digits of a line: shorter ones would refuse passwords by chance.
const SHORTEST: usize = 10;
/// From this size of a part on, its lines are read one after another.
const PART: u64 = 4096;
/// The longest line with its count.
const LONGEST: u64 = 256;

/// The set.
pub struct LeakedPasswords {
    path: PathBuf,
    file: Mutex<BufReader<File>>,
    length: u64,
}

impl fmt::Debug for LeakedPasswords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Leaked({})", self.path.display())
    }
}

impl LeakedPasswords {
    /// Opens the set.
    ///
    /// # Errors
    /// When the file cannot be read, or its first lines are not as they should be: the text says how.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut file = BufReader::new(file);
        let mut before = String::new();
        for _ in 0..1000 {
            let Some(line) = next_line(&mut file)? else { break };
            let hash = hash_of(&line).ok_or_else(|| wrong(format!("{line:?} does not begin with a SHA-1 hash")))?;
            if hash < before {
                return Err(wrong("its lines are not sorted".to_owned()));
            }
            before = hash;
        }
        Ok(Self { path: path.to_owned(), file: Mutex::new(file), length })
    }

    /// Whether the password is in the set. It reads the file, so it belongs on a thread that may block.
    ///
    /// # Errors
    /// When the file cannot be read any more.
    pub(crate) fn has(&self, password: &str) -> std::io::Result<bool> {
        let wanted = to_hex(&Sha1::digest(password.as_bytes())).to_ascii_uppercase();
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // The first line at or behind `low` is at or before the wanted one, unless `low` is the beginning.
        let (mut low, mut high) = (0, self.length);
        while high - low > PART {
            let middle = low + (high - low) / 2;
            match line_behind(&mut file, middle)?.as_deref().and_then(hash_of) {
                Some(hash) if hash <= wanted => low = middle,
                _ => high = middle,
            }
        }
        if low > 0 {
            skip_to(&mut file, low)?;
        } else {
            file.seek(SeekFrom::Start(0))?;
        }
        while let Some(line) = next_line(&mut file)? {
            match hash_of(&line) {
                Some(hash) if wanted.starts_with(&hash) => return Ok(true),
                Some(hash) if hash > wanted => return Ok(false),
                _ => {}
            }
        }
        Ok(false)
    }
}

/// The hash of a line, in capitals.
fn hash_of(line: &str) -> Option<String> {
    let hash = line.split(':').next()?.trim();
    let fits = (SHORTEST..=40).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    fits.then(|| hash.to_ascii_uppercase())
}

/// The first whole line behind a place.
fn line_behind(file: &mut BufReader<File>, place: u64) -> std::io::Result<Option<String>> {
    skip_to(file, place)?;
    next_line(file)
}

/// Goes to the beginning of the first line behind a place.
fn skip_to(file: &mut BufReader<File>, place: u64) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(place))?;
    next_line(file).map(drop)
}

fn next_line(file: &mut BufReader<File>) -> std::io::Result<Option<String>> {
    let mut line = Vec::new();
    let read = std::io::Read::take(&mut *file, LONGEST).read_until(b'\n', &mut line)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim_end().to_owned()))
}

fn wrong(why: String) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn hash(password: &str) -> String {
        to_hex(&Sha1::digest(password.as_bytes())).to_ascii_uppercase()
    }

    fn file(lines: &[String]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(lines.join("\n").as_bytes()).unwrap();
        file
    }

    #[test]
    fn each_password_of_the_file_is_found_and_no_other() {
        for count in [0, 1, 2, 3, 50, 5000] {
            let mut lines: Vec<String> =
                (0..count).map(|n| format!("{}:{}", hash(&format!("leaked {n}")), n * n * 7)).collect();
            lines.sort();
            let file = file(&lines);
            let leaked = LeakedPasswords::open(file.path()).unwrap();
            for n in (0..count).step_by(1 + count / 300).chain(count.checked_sub(1)) {
                assert!(leaked.has(&format!("leaked {n}")).unwrap(), "{n} of {count}");
            }
            for n in 0..300 {
                assert!(!leaked.has(&format!("not leaked {n}")).unwrap(), "{n} of {count}");
            }
        }
    }

    #[test]
    fn a_prefix_stands_for_each_hash_that_begins_with_it() {
        let mut lines: Vec<String> = (0..2000).map(|n| hash(&format!("leaked {n}"))[..16].to_lowercase()).collect();
        lines.sort();
        let file = file(&lines);
        let leaked = LeakedPasswords::open(file.path()).unwrap();
        assert!((0..2000).all(|n| leaked.has(&format!("leaked {n}")).unwrap()));
        assert!(!leaked.has("not leaked").unwrap());
    }

    #[test]
    fn wrong_file_is_refused_at_the_start() {
        let bad = ["password\n".to_owned(), "ABC\n".to_owned(), format!("{}\n{}\n", "B".repeat(40), "A".repeat(40))];
        for text in bad {
            assert!(LeakedPasswords::open(file(std::slice::from_ref(&text)).path()).is_err(), "{text}");
        }
        assert!(LeakedPasswords::open(Path::new("/nowhere/at/all")).is_err());
    }
}
