//! Tokens that are parsed and checked against a key.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signature, VerifyingKey};

use crate::call::token::claims::{Claims, ISSUER, SECOND};
use crate::call::token::flaw::TokenFlaw;
use crate::call::token::key::{ALGORITHM, Header};
use crate::time::Micros;

/// The longest accepted token, in bytes. Longer HTTP headers do not reach the process anyway.
pub const LARGEST: usize = 8 * 1024;
/// The allowed difference between two machines' clocks, in seconds.
pub(super) const LEEWAY: i64 = 60;

/// A token that is parsed but not verified.
#[derive(Debug)]
pub struct UnverifiedToken<'a> {
    kid: String,
    signed: &'a str,
    claims: &'a str,
    signature: Signature,
}

impl<'a> UnverifiedToken<'a> {
    /// Parses a token.
    ///
    /// # Errors
    /// `TooLarge`, `Malformed` or `Header`.
    pub fn read(token: &'a str) -> Result<Self, TokenFlaw> {
        if token.len() > LARGEST {
            return Err(TokenFlaw::TooLarge);
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(TokenFlaw::Malformed)?;
        let (header, claims) = signed.split_once('.').ok_or(TokenFlaw::Malformed)?;
        let decoded = URL_SAFE_NO_PAD.decode(header).map_err(|_| TokenFlaw::Malformed)?;
        let header: Header = serde_json::from_slice(&decoded).map_err(|_| TokenFlaw::Header)?;
        let kid_is_ours = (1..=64).contains(&header.kid.len())
            && header.kid.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if header.alg != ALGORITHM || header.typ != "JWT" || !kid_is_ours {
            return Err(TokenFlaw::Header);
        }
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| TokenFlaw::Malformed)?;
        let signature = Signature::from_slice(&signature).map_err(|_| TokenFlaw::Malformed)?;
        Ok(Self { kid: header.kid, signed, claims, signature })
    }

    /// The key id in the token's header.
    #[must_use]
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// The claims, if `key` signed the token, for `audience`, and it is valid at `now`.
    ///
    /// # Errors
    /// The first flaw.
    pub fn verify(&self, key: &VerifyingKey, audience: &str, now: Micros) -> Result<Claims, TokenFlaw> {
        key.verify_strict(self.signed.as_bytes(), &self.signature).map_err(|_| TokenFlaw::Signature)?;
        let json = URL_SAFE_NO_PAD.decode(self.claims).map_err(|_| TokenFlaw::Malformed)?;
        let claims: Claims = serde_json::from_slice(&json).map_err(|_| TokenFlaw::Malformed)?;
        let now = now.div_euclid(SECOND);
        if claims.iss != ISSUER {
            return Err(TokenFlaw::Issuer);
        }
        if claims.aud != audience {
            return Err(TokenFlaw::Audience);
        }
        if now >= claims.exp {
            return Err(TokenFlaw::Expired);
        }
        let latest = now.saturating_add(LEEWAY);
        if claims.nbf > latest || claims.iat > latest {
            return Err(TokenFlaw::NotYet);
        }
        if claims.caller().is_none() {
            return Err(TokenFlaw::Malformed);
        }
        Ok(claims)
    }
}
