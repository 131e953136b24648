//! New tokens: for sign-ins, impersonations and by call.

use std::sync::Arc;
use std::time::Duration;

use pavise_kernel::caller::Realm;
use pavise_kernel::revoked::{LONGEST, LONGEST_OF_PEOPLE};
use pavise_kernel::time::{Micros, to_timestamp};
use pavise_kernel::token::{Claims, LARGEST};
use pavise_kernel::{Caller, Error, Result};
use prost_types::Timestamp;

use super::keys::KeyRing;

/// A token that was just made.
#[derive(Debug)]
pub(crate) struct IssuedToken {
    pub(crate) token: String,
    pub(crate) key_id: String,
    pub(crate) expires_at: Timestamp,
}

/// The claims of a token besides its bearer.
#[derive(Debug)]
pub(crate) struct Terms<'a> {
    /// The token's id.
    pub(crate) id: &'a str,
    /// Its audience.
    pub(crate) audience: &'a str,
    /// How long it is good.
    pub(crate) lifetime: Duration,
    /// The time that it is good from.
    pub(crate) from: Micros,
}

/// Signs with the key that is active.
#[derive(Debug, Clone)]
pub(crate) struct Issuer(pub(crate) Arc<KeyRing>);

impl Issuer {
    /// A token of `caller`, which is good for no longer than any token of its kind.
    ///
    /// # Errors
    /// `NO_SIGNING_KEY`.
    pub(crate) async fn issue_token(&self, caller: &Caller, terms: Terms<'_>, now: Micros) -> Result<IssuedToken> {
        let key = self.0.load_signing(now).await?;
        let mut claims = Claims::of(caller, terms.lifetime.min(longest(caller)), terms.from);
        terms.id.clone_into(&mut claims.jti);
        terms.audience.clone_into(&mut claims.aud);
        let token = claims.sign(&key);
        if token.len() > LARGEST {
            return Err(Error::internal("an identity's claims do not fit into a token"));
        }
        Ok(IssuedToken {
            token,
            key_id: key.kid().to_owned(),
            expires_at: to_timestamp(claims.exp.saturating_mul(1_000_000)),
        })
    }
}

/// The longest lifetime of a token, whatever is asked for. An impersonation has its own limit.
fn longest(caller: &Caller) -> Duration {
    let is_persons = caller.realm != Realm::Machine && caller.actor.is_none();
    if is_persons { LONGEST_OF_PEOPLE } else { LONGEST }
}
