//! ListIdentities and CheckIdentityExists.

use pavise_kernel::{Call, Error, Page, Result};

use crate::contract::v1::{
    CheckIdentityExistsRequest, CheckIdentityExistsResponse, Identity, IdentityRealm, ListIdentitiesRequest,
    ListIdentitiesResponse,
};

/// The lookups of the aggregate.
pub(super) const EMAIL: &str = "emails.address";
pub(super) const USERNAME: &str = "usernames";
const CLASSIC_ID: &str = "classic_ids.key";

pub(super) async fn list_identities(call: &Call, request: ListIdentitiesRequest) -> Result<ListIdentitiesResponse> {
    let realm = match request.realm() {
        IdentityRealm::Unspecified => String::new(),
        realm => realm.spelling().to_owned(),
    };
    let filters = vec![("realm", realm), (EMAIL, request.email), (USERNAME, request.username), (CLASSIC_ID, request.classic_id)];
    let page = Page { size: request.page_size, token: &request.page_token, filters };
    let (identities, next_page_token) = call.page::<Identity>(page).await?;
    Ok(ListIdentitiesResponse { identities, next_page_token })
}

pub(super) async fn check_identity_exists(
    call: &Call,
    request: &CheckIdentityExistsRequest,
) -> Result<CheckIdentityExistsResponse> {
    let (lookup, name) = one_name(&request.email, &request.username)?;
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
