//! Internals that only the fuzz targets need.

use crate::read::page_token::PageTokens;

/// The token of a place in the list with this filter.
#[must_use]
pub fn page_token(secret: &str, filter: &str, place: &str) -> String {
    PageTokens::new(secret.as_bytes()).seal(&[filter], place)
}

/// The place of a page token, if the token belongs to the list with this filter.
#[must_use]
pub fn page_place(secret: &str, filter: &str, token: &str) -> Option<String> {
    PageTokens::new(secret.as_bytes()).open(&[filter], token)
}
