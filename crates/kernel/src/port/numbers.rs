//! Numbers that a commit gives: without a gap within their series.
//!
//! The engine counts a series under the lock of its journal, in the transaction that writes the entity. Until then the
//! entity holds a mark, which no other text contains. The commit replaces the mark in the documents, the lookups and
//! the answer.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use crate::port::store::{IdempotencyRecord, Write, fold_value};

/// The place of an entity's number.
#[derive(Debug)]
pub struct NumberField<'a> {
    /// The entity's field.
    pub field: &'a mut String,
    /// The series, which is the beginning of each of its numbers.
    pub series: String,
    /// The least digits of the count.
    pub width: usize,
}

/// A number that a commit has to give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberRequest {
    /// The text that the number replaces.
    pub mark: String,
    /// The journal of the entity's table, which counts the series whatever call writes it.
    pub journal: &'static str,
    /// The series.
    pub series: String,
    /// The least digits of the count.
    pub width: usize,
}

impl NumberRequest {
    /// The number with that count.
    #[must_use]
    pub fn text(&self, count: i64) -> String {
        format!("{}{count:0width$}", self.series, width = self.width)
    }
}

/// A given number: the mark, and the text in its place.
pub type AssignedNumber = (String, String);

/// The cause for which numbers cannot be written into an answer.
pub type RewriteError = String;

/// A function that writes given numbers into an encoded answer.
type RewriteFn = dyn Fn(&[u8], &[AssignedNumber]) -> Result<Vec<u8>, RewriteError> + Send + Sync;

/// Writes given numbers into an encoded answer.
#[derive(Clone)]
pub struct Rewrite(Arc<RewriteFn>);

impl Rewrite {
    /// A rewrite by that function.
    pub fn new(
        with: impl Fn(&[u8], &[AssignedNumber]) -> Result<Vec<u8>, RewriteError> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(with))
    }

    /// The answer with the numbers.
    ///
    /// # Errors
    /// When the answer cannot be read.
    pub fn apply_numbers(&self, answer: &[u8], given: &[AssignedNumber]) -> Result<Vec<u8>, RewriteError> {
        self.0(answer, given)
    }
}

impl fmt::Debug for Rewrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rewrite")
    }
}

/// The numbers that a command takes.
#[derive(Debug, Clone, Default)]
pub struct NumberPlan {
    /// The numbers.
    pub wanted: Vec<NumberRequest>,
    /// Writes them into the answer of the idempotency record. Needed for a command with numbers and a record.
    pub rewrite: Option<Rewrite>,
}

/// A JSON text with the numbers.
pub(crate) fn fill_json(json: &str, given: &[AssignedNumber]) -> String {
    let quoted = |number: &String| {
        let quoted = serde_json::Value::from(number.as_str()).to_string();
        quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
    };
    given.iter().fold(json.to_owned(), |json, (mark, number)| json.replace(mark, &quoted(number)))
}

/// The write with the numbers.
pub(crate) fn fill(write: &Write, given: &[AssignedNumber]) -> Write {
    let mut write = write.clone();
    write.row.doc = fill_json(&write.row.doc, given);
    for (lookup, value) in &mut write.lookups {
        for (mark, number) in given {
            *value = value.replace(mark, &fold_value(lookup, number));
        }
    }
    write
}

/// The record with the numbers in its answer.
pub(crate) fn fill_record(
    record: &IdempotencyRecord,
    rewrite: Option<&Rewrite>,
    given: &[AssignedNumber],
) -> Result<IdempotencyRecord, RewriteError> {
    let rewrite = rewrite.ok_or("an answer with numbers, and no way to write them")?;
    let answer = Bytes::from(rewrite.apply_numbers(&record.answer, given)?);
    Ok(IdempotencyRecord { answer, ..record.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_its_series_and_a_count() {
        let number = NumberRequest { mark: "m".into(), journal: "dals", series: "DAL-26-".into(), width: 6 };
        assert_eq!(number.text(123), "DAL-26-000123");
        assert_eq!(number.text(1_234_567), "DAL-26-1234567", "a long count is not cut");
    }

    #[test]
    fn a_number_is_quoted_as_json() {
        let given = [("mark".to_owned(), "a\"b\\c-1".to_owned())];
        assert_eq!(
            fill_json(r#"{"number":"mark","of":["mark"]}"#, &given),
            r#"{"number":"a\"b\\c-1","of":["a\"b\\c-1"]}"#
        );
    }
}
