//! The errors of wire bytes and of JSON.

use std::fmt;

/// Wire bytes that are not the message, or that JSON cannot express.
pub struct WireError(Box<WireFault>);

struct WireFault {
    message: String,
    path: Path,
    too_deep: bool,
}

impl WireError {
    #[cold]
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(Box::new(WireFault { message: message.into(), path: Path::default(), too_deep: false }))
    }

    #[cold]
    pub(crate) fn too_deep() -> Self {
        let message = format!("more than {} messages are nested in each other", crate::DEPTH_LIMIT);
        Self(Box::new(WireFault { message, path: Path::default(), too_deep: true }))
    }

    #[cold]
    pub(crate) fn inside(mut self, field: &str) -> Self {
        self.0.path.0.push(Segment::Field(field.to_owned()));
        self
    }

    /// Whether the nesting is deeper than the limit.
    #[must_use]
    pub fn is_too_deep(&self) -> bool {
        self.0.too_deep
    }

    /// The wrong field, as in `offers.offer_id`; empty if the message itself is wrong.
    #[must_use]
    pub fn path(&self) -> String {
        self.0.path.to_string()
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.path.0.is_empty() {
            write!(f, "{}: ", self.0.path)?;
        }
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WireError({self})")
    }
}

impl std::error::Error for WireError {}

/// The kind of error of a JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Problem {
    /// It is not JSON.
    Malformed,
    /// A key names no field.
    UnknownField,
    /// A value does not fit its field, or the field is given twice.
    InvalidValue,
    /// It is nested too deeply.
    TooDeep,
}

/// JSON that is not the message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", prefix(path))]
pub struct JsonError {
    /// The kind of error.
    pub problem: Problem,
    /// The field in the names of the proto, as in `offers[0].offer_id` or `labels["colour"]`. Empty if the whole text
    /// is wrong.
    pub path: String,
    /// The error, for the caller.
    pub message: String,
    /// The line, from 1. Zero when the value did not come as JSON.
    pub line: usize,
    /// The character in the line, from 1. Zero when the value did not come as JSON.
    pub column: usize,
}

fn prefix(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("{path}: ") }
}

/// A step from a message to a part of it.
#[derive(Debug)]
enum Segment {
    Field(String),
    Index(usize),
    Key(String),
}

/// The steps to the wrong value, the innermost first, because they are added while the error travels outwards.
#[derive(Debug, Default)]
struct Path(Vec<Segment>);

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut dot = "";
        for segment in self.0.iter().rev() {
            match segment {
                Segment::Field(name) => write!(f, "{dot}{name}")?,
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Key(key) => write!(f, "[{key:?}]")?,
            }
            dot = ".";
        }
        Ok(())
    }
}

/// A [`JsonError`] on its way out: its place is an offset, and its path still grows.
#[derive(Debug)]
pub(crate) struct Failure {
    problem: Problem,
    message: String,
    at: usize,
    path: Path,
}

/// The result of reading JSON. The error is boxed, so that the usual result fits a register.
pub(crate) type Read<T> = Result<T, Box<Failure>>;

impl Failure {
    #[cold]
    pub(crate) fn new(problem: Problem, message: impl Into<String>, at: usize) -> Box<Self> {
        Box::new(Self { problem, message: message.into(), at, path: Path::default() })
    }

    #[cold]
    pub(crate) fn malformed(message: impl Into<String>, at: usize) -> Box<Self> {
        Self::new(Problem::Malformed, message, at)
    }

    #[cold]
    pub(crate) fn invalid(message: impl Into<String>, at: usize) -> Box<Self> {
        Self::new(Problem::InvalidValue, message, at)
    }

    #[cold]
    pub(crate) fn too_deep(at: usize) -> Box<Self> {
        Self::new(Problem::TooDeep, format!("is nested more than {} levels deep", crate::DEPTH_LIMIT), at)
    }

    #[cold]
    pub(crate) fn inside(mut self: Box<Self>, field: &str) -> Box<Self> {
        self.path.0.push(Segment::Field(excerpt(field)));
        self
    }

    #[cold]
    pub(crate) fn inside_index(mut self: Box<Self>, index: usize) -> Box<Self> {
        self.path.0.push(Segment::Index(index));
        self
    }

    #[cold]
    pub(crate) fn inside_key(mut self: Box<Self>, key: &str) -> Box<Self> {
        self.path.0.push(Segment::Key(excerpt(key)));
        self
    }

    /// The error with its place in `json` as line and column; both are 0 without JSON.
    pub(crate) fn located(self, json: &[u8]) -> JsonError {
        let Self { problem, mut message, at, path } = self;
        let (mut line, mut column) = (0, 0);
        if !json.is_empty() || problem == Problem::Malformed {
            let before = json.get(..at).unwrap_or(json);
            line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
            let of_line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
            column = 1 + of_line.iter().filter(|byte| (**byte & 0xc0) != 0x80).count();
        }
        if problem == Problem::Malformed {
            message = format!("{message} at line {line} column {column}");
        }
        // If the text is not JSON, the fields around the place mean nothing.
        let path = if problem == Problem::Malformed { String::new() } else { path.to_string() };
        JsonError { problem, path, message, line, column }
    }
}

/// The beginning of a caller's text for a message, because the whole may be a megabyte.
pub(crate) fn excerpt(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
