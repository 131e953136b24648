//! Imports hashes of passwords from a file, while the file arrives.

use futures::{Stream, StreamExt as _, stream};
use pavise_kernel::bytes::Upload;
use pavise_kernel::{Call, Common, Error, Result};
use serde::Deserialize;

use super::support::password_rows::add_password;
use crate::contract::v1::{
    ImportPasswordsRequest, ImportPasswordsResponse, PasswordImportRefusal, PasswordRow, PasswordRowOutcome,
};
use crate::shared::password::formats;
use crate::shared::tools::Tools as _;

/// The most bytes of a line.
const LONGEST_LINE: usize = 4096;
/// Rows that are committed at once.
const AT_ONCE: usize = 64;
/// The most refusals that an answer has.
const MOST_REFUSALS: usize = 1000;

/// A row of the file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ImportRow {
    user_id: String,
    password_hash: String,
}

/// Neither the file nor its rows are kept: a row is in memory until it is committed.
pub(crate) async fn import_passwords(call: &Call, _request: ImportPasswordsRequest) -> Result<ImportPasswordsResponse> {
    let service = &*call.identities()?;
    let rows = lines(call.take_upload()?).map(|line| async move {
        let (number, line) = line?;
        let Ok(row) = serde_json::from_slice::<ImportRow>(&line) else {
            let why = "the line is no object with userId and passwordHash";
            return Ok((number, String::new(), Err(Error::new(Common::InvalidField, why))));
        };
        let (id, hash) = (row.user_id, row.password_hash);
        // Refused before the database is asked.
        if let Err(error) = formats::check_hash("password_hash", &hash) {
            return Ok((number, id, Err(error)));
        }
        let row = PasswordRow { password_hash: hash, ..PasswordRow::default() };
        let outcome = add_password(service, call, &id, row).await;
        Ok::<_, Error>((number, id, outcome))
    });
    let mut rows = Box::pin(rows.buffered(AT_ONCE));
    let mut answer = ImportPasswordsResponse::default();
    while let Some(row) = rows.next().await {
        let (line, user_id, outcome) = row?;
        match outcome {
            Ok(PasswordRowOutcome::Kept) => answer.kept = answer.kept.saturating_add(1),
            Ok(_) => answer.added = answer.added.saturating_add(1),
            Err(error) if error.is_transient() => return Err(error),
            Err(error) => {
                answer.refused = answer.refused.saturating_add(1);
                if answer.refusals.len() < MOST_REFUSALS {
                    answer.refusals.push(refusal(line, user_id, &error));
                }
            }
        }
    }
    Ok(answer)
}

fn refusal(line: i64, user_id: String, error: &Error) -> PasswordImportRefusal {
    if error.is(Common::Internal) {
        tracing::error!(cause = error.cause(), "a password was not imported");
    }
    let user_id = user_id.chars().take(64).collect();
    PasswordImportRefusal { line, user_id, reason: error.reason().to_owned(), message: error.message().to_owned() }
}

/// The reading of a file line by line.
struct Lines {
    upload: Upload,
    /// The bytes after the last whole line.
    rest: Vec<u8>,
    number: i64,
    is_over: bool,
}

/// The lines of the file that are not empty, with their numbers.
fn lines(upload: Upload) -> impl Stream<Item = Result<(i64, Vec<u8>)>> + Send {
    let reading = Lines { upload, rest: Vec::new(), number: 0, is_over: false };
    stream::try_unfold(reading, |mut reading| async move { Ok(reading.next_line().await?.map(|line| (line, reading))) })
}

impl Lines {
    async fn next_line(&mut self) -> Result<Option<(i64, Vec<u8>)>> {
        loop {
            if let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let mut line: Vec<u8> = self.rest.drain(..=end).collect();
                line.pop();
                if let Some(line) = self.numbered(line)? {
                    return Ok(Some(line));
                }
                continue;
            }
            if self.is_over {
                let line = std::mem::take(&mut self.rest);
                return if line.is_empty() { Ok(None) } else { self.numbered(line) };
            }
            if self.rest.len() > LONGEST_LINE {
                return Err(self.too_long_error());
            }
            match self.upload.next_chunk().await? {
                Some(chunk) => self.rest.extend_from_slice(&chunk),
                None => self.is_over = true,
            }
        }
    }

    /// The line with its number; `None` for an empty one.
    fn numbered(&mut self, line: Vec<u8>) -> Result<Option<(i64, Vec<u8>)>> {
        if line.len() > LONGEST_LINE {
            return Err(self.too_long_error());
        }
        self.number = self.number.saturating_add(1);
        Ok(Some((self.number, line)).filter(|(_, line)| !line.trim_ascii().is_empty()))
    }

    fn too_long_error(&self) -> Error {
        let line = self.number.saturating_add(1);
        Error::field("chunk", format!("line {line} is longer than {LONGEST_LINE} bytes"))
    }
}
