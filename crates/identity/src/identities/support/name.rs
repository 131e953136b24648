//! The name that a caller gives: an e-mail address or a username.

use pavise_kernel::{Error, Result};

use crate::contract::lookups;

/// The lookups of the aggregate.
pub(crate) const EMAIL: &str = lookups::identity::EMAILS_ADDRESS;
pub(crate) const USERNAME: &str = lookups::identity::USERNAMES;

/// The lookup and the value of the name that was given.
///
/// # Errors
/// `INVALID_FIELD` when none or both were.
pub(crate) fn one_name<'r>(email: &'r str, username: &'r str) -> Result<(&'static str, &'r str)> {
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
