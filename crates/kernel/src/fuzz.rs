//! Internals that only the fuzz targets need.

/// The id in a page token, if the token belongs to the list with this `digest`.
#[must_use]
pub fn page_token(token: &str, digest: &str) -> Option<String> {
    crate::read::opened(token, digest).ok()
}
