//! The REST paths of a call.

use crate::error::ContractError;
use crate::google::api::{HttpRule, http_rule::Pattern};

/// One REST path of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The HTTP method.
    pub verb: Verb,
    /// The path template: `/v1/orders/{order_id}`.
    pub path: String,
    /// `*`, a request field, or empty.
    pub body: String,
    /// The response field that is answered; empty for the whole response.
    pub response_body: String,
}

/// The HTTP methods of the facade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "they are the HTTP methods")]
pub enum Verb {
    Get,
    Put,
    Post,
    Delete,
    Patch,
}

impl Binding {
    pub(super) fn read(place: &str, rule: &HttpRule) -> Result<Self, ContractError> {
        let (verb, path) = match &rule.pattern {
            Some(Pattern::Get(path)) => (Verb::Get, path),
            Some(Pattern::Put(path)) => (Verb::Put, path),
            Some(Pattern::Post(path)) => (Verb::Post, path),
            Some(Pattern::Delete(path)) => (Verb::Delete, path),
            Some(Pattern::Patch(path)) => (Verb::Patch, path),
            Some(Pattern::Custom(_)) | None => {
                return Err(ContractError::new(place, "google.api.http needs one of get, put, post, delete and patch"));
            }
        };
        Ok(Self { verb, path: path.clone(), body: rule.body.clone(), response_body: rule.response_body.clone() })
    }
}

impl Verb {
    /// The method's name in HTTP.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Put => "PUT",
            Self::Post => "POST",
            Self::Delete => "DELETE",
            Self::Patch => "PATCH",
        }
    }
}
