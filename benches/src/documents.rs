//! The calls of the measured service that the contract leaves to Rust.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{Badge, Content, GetBadgeRequest};

pub(crate) async fn echo_document(_call: &Call, request: Content) -> Result<Content> {
    Ok(request)
}

pub(crate) async fn get_badge(_call: &Call, request: GetBadgeRequest) -> Result<Badge> {
    Ok(Badge { badge_id: request.badge_id, name: "Member since the first year".to_owned(), points: 120 })
}
