//! CheckIdentityExists.

use pavise_kernel::{Call, Error, Result};

use super::Identities;
use crate::contract::v1::{CheckIdentityExistsRequest, CheckIdentityExistsResponse, Identity};
use crate::throttle::{Kind, Throttle};

/// The lookups of the aggregate.
pub(super) const EMAIL: &str = "emails.address";
pub(super) const USERNAME: &str = "usernames";

pub(crate) async fn check_identity_exists(
    call: &Call,
    request: CheckIdentityExistsRequest,
) -> Result<CheckIdentityExistsResponse> {
    let service = call.provided::<Identities>()?;
    let service = &*service;
    let request = &request;
    let (lookup, name) = one_name(&request.email, &request.username)?;
    if call.caller().is_anonymous() && !call.address().is_empty() {
        // A sign-up asks once or twice; who goes through a list of names is made to wait.
        let address = Throttle::key(Kind::Address, call.address());
        service.questions.admit(&address, call.now())?;
        service.questions.failed(Kind::Address, &address, call.now());
    }
    let exists = call.find_by::<Identity>(lookup, name).await?.is_some();
    Ok(CheckIdentityExistsResponse { exists })
}

/// The lookup and the value of whichever name was given.
///
/// # Errors
/// `INVALID_FIELD` when none or both were.
pub(super) fn one_name<'r>(email: &'r str, username: &'r str) -> Result<(&'static str, &'r str)> {
    match (email, username) {
        ("", "") => Err(Error::field("email", "name an e-mail address or a username")),
        (email, "") => Ok((EMAIL, email)),
        ("", username) => Ok((USERNAME, username)),
        _ => Err(Error::field("username", "name an e-mail address or a username, not both")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_one_name_is_given() {
        assert_eq!(one_name("a@example.com", "").unwrap(), (EMAIL, "a@example.com"));
        assert_eq!(one_name("", "ada").unwrap(), (USERNAME, "ada"));
        assert!(one_name("", "").is_err());
        assert!(one_name("a@example.com", "ada").is_err());
    }
}
