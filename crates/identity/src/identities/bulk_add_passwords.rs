//! Adds passwords of another system, each in a commit of its own.

use std::collections::HashSet;

use futures::StreamExt as _;
use pavise_kernel::{Call, Common, Error, Result};

use super::support::password_rows::add_password;
use crate::contract::v1::{
    BulkAddPasswordsRequest, BulkAddPasswordsResponse, PasswordRow, PasswordRowOutcome, PasswordRowResult,
};
use crate::shared::tools::Tools as _;

/// How many passwords that are still to be hashed one call has at most.
const MOST_PLAIN: usize = 200;
/// How many hashes are committed at once, in one group; each password that is hashed takes a core for a while.
const HASHES_AT_ONCE: usize = 64;

/// A row that is refused says why.
pub(crate) async fn bulk_add_passwords(
    call: &Call,
    request: BulkAddPasswordsRequest,
) -> Result<BulkAddPasswordsResponse> {
    let service = &*call.identities()?;
    let plain = request.rows.iter().filter(|row| !row.password.is_empty()).count();
    if plain > MOST_PLAIN {
        return Err(Error::field(
            "rows",
            format!("at most {MOST_PLAIN} passwords are hashed in one call; there are {plain}"),
        ));
    }
    let mut seen = HashSet::new();
    let rows: Vec<(String, bool, PasswordRow)> = request
        .rows
        .into_iter()
        .map(|row| {
            let id = if row.user_id.is_empty() { request.user_id.clone() } else { row.user_id.clone() };
            (id.clone(), seen.insert(id), row)
        })
        .collect();
    let at_once = if plain > 0 { 1 } else { HASHES_AT_ONCE };
    let results = futures::stream::iter(rows)
        .map(|(id, first, row)| async move {
            let outcome = if first { add_password(service, call, &id, row).await } else { Err(listed_twice_error()) };
            result(id, outcome)
        })
        .buffered(at_once)
        .collect()
        .await;
    Ok(BulkAddPasswordsResponse { results })
}

fn listed_twice_error() -> Error {
    Error::field("user_id", "stands in an earlier row too")
}

fn result(user_id: String, outcome: Result<PasswordRowOutcome>) -> PasswordRowResult {
    match outcome {
        Ok(outcome) => PasswordRowResult { user_id, outcome: outcome.into(), ..PasswordRowResult::default() },
        Err(error) => {
            if error.is(Common::Internal) {
                tracing::error!(cause = error.cause(), "a password was not added");
            }
            let (reason, message) = (error.reason().to_owned(), error.message().to_owned());
            PasswordRowResult { user_id, outcome: PasswordRowOutcome::Refused.into(), reason, message }
        }
    }
}
