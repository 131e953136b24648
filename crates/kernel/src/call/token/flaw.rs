//! The reasons why a token is refused.

use crate::error::{Common, Error};

/// The reason why a token is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenFlaw {
    /// It is not a JWT of the platform's form.
    #[error("it is not a token of ours")]
    Malformed,
    /// It is longer than any token of the platform.
    #[error("it is longer than 8 KiB")]
    TooLarge,
    /// Its header names another algorithm, or holds a field that the platform does not use.
    #[error("its header must be alg EdDSA, typ JWT and a kid, and nothing else")]
    Header,
    /// The key does not exist, or is not for such a token.
    #[error("its key is unknown")]
    UnknownKey,
    /// The signature does not match the key.
    #[error("its signature is wrong")]
    Signature,
    /// Another issuer made it.
    #[error("somebody else made it")]
    Issuer,
    /// It is for another audience.
    #[error("it is for somebody else")]
    Audience,
    /// It is not valid yet.
    #[error("it is not good yet")]
    NotYet,
    /// It has expired.
    #[error("it has expired")]
    Expired,
}

impl From<TokenFlaw> for Error {
    fn from(flaw: TokenFlaw) -> Self {
        let error = match flaw {
            TokenFlaw::Expired => Self::new(Common::TokenExpired, "the token has expired; sign in again"),
            _ => Self::new(Common::TokenInvalid, "the token is not valid here"),
        };
        error.because(flaw)
    }
}
