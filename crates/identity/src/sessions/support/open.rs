//! A new session, and its tokens.

use std::time::Duration;

use pavise_kernel::revoked::LONGEST_OF_PEOPLE;
use pavise_kernel::time::{Micros, to_micros, to_timestamp};
use pavise_kernel::token::AUDIENCE;
use pavise_kernel::{Call, Caller, Error, Result, Unit};

use super::state::duration_to_micros;
use super::token::RefreshToken;
use super::{cookie, ending};
use crate::contract::actions;
use crate::contract::v1::{AccessToken, ErrorReason, Identity, IdentityStatus, Session};
use crate::sessions::Sessions;
use crate::shared::issue::Terms;

/// How many letters of an address are kept, whatever was sent.
const LONGEST_ADDRESS: usize = 64;

/// How an identity proved itself, and how it wants its tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SignIn<'a> {
    /// The method as sessions show it: "password", "password+totp".
    pub(crate) method: &'a str,
    /// Whether the tokens go into a browser's cookies instead of the answer.
    pub(crate) cookie: bool,
}

impl Sessions {
    /// Opens a session in a commit of its own. The call declares the actions LOGGED_IN, SESSION_REVOKED and
    /// SESSION_FORGOTTEN. No answer is stored for a repeat, because it would hold the token: a repeat signs in again.
    ///
    /// # Errors
    /// `NO_SIGNING_KEY`, or when the database does not answer.
    pub(crate) async fn open(&self, call: &Call, identity: &Identity, sign_in: SignIn<'_>) -> Result<AccessToken> {
        let mut unit = call.unit();
        let answer = self.open_in(call, &mut unit, identity, sign_in).await?;
        unit.commit().await?;
        ending::remove_old(call, &identity.id).await;
        Ok(answer)
    }

    /// The same as part of a larger commit. The caller commits without a stored answer, and then calls `tidy`.
    ///
    /// # Errors
    /// As [`Sessions::open`].
    pub(crate) async fn open_in(
        &self,
        call: &Call,
        unit: &mut Unit<'_>,
        identity: &Identity,
        sign_in: SignIn<'_>,
    ) -> Result<AccessToken> {
        let (now, (lifetime, idle)) = (call.machine_now(), self.session_lifetimes(identity.realm()));
        let id = call.new_id();
        let refresh = RefreshToken::new(&id, &self.ids);
        let ends = now.saturating_add(duration_to_micros(lifetime));
        let session = Session {
            id,
            owner_id: identity.id.clone(),
            expires_at: Some(to_timestamp(ends)),
            idle_expires_at: Some(to_timestamp(now.saturating_add(duration_to_micros(idle)).min(ends))),
            last_used_at: Some(call.machine_timestamp()),
            proved_at: Some(call.machine_timestamp()),
            method: sign_in.method.to_owned(),
            user_agent: call.user_agent().to_owned(),
            address: mask_address(call.address()),
            cookie: sign_in.cookie,
            family_hash: refresh.family_hash(),
            refresh_hash: refresh.hash(),
            ..Session::default()
        };
        let session = unit.create_as(session, actions::identity_audit::LOGGED_IN)?;
        self.give_tokens(call, identity, &session, &refresh).await
    }

    /// An access token of the session beside its refresh token: in the answer, or as cookies.
    pub(crate) async fn give_tokens(
        &self,
        call: &Call,
        identity: &Identity,
        session: &Session,
        refresh: &RefreshToken,
    ) -> Result<AccessToken> {
        let mut answer = self.renew_token(call, identity, session).await?;
        if session.cookie {
            let left = until(session.expires_at.as_ref().map_or(0, to_micros), call.machine_now());
            call.set_cookie(cookie::build_refresh(&refresh.text(), left, self.config.secure_cookies));
        } else {
            answer.refresh_token = refresh.text();
        }
        Ok(answer)
    }

    /// A new access token of the session, whose refresh token stays as it is.
    ///
    /// # Errors
    /// `IDENTITY_MERGED`, `NO_SIGNING_KEY`.
    pub(crate) async fn renew_token(&self, call: &Call, identity: &Identity, session: &Session) -> Result<AccessToken> {
        // A merged identity signs in as the identity that it was merged into.
        if identity.status() == IdentityStatus::Merged {
            let message = "this account went up in another one; sign in with that";
            return Err(Error::new(ErrorReason::IdentityMerged, message));
        }
        let lacks = self.find_lacks(call, identity, &session.method).await?;
        let proved_at = session.proved_at.as_ref().map(to_micros);
        let caller = lacks.confine_caller(Caller { session: session.id.clone(), proved_at, ..identity.caller() });
        let token_id = call.new_id();
        let left = until(session.expires_at.as_ref().map_or(0, to_micros), call.machine_now());
        let lifetime = self.config.access_lifetime.min(left).min(LONGEST_OF_PEOPLE);
        let terms = Terms { id: &token_id, audience: AUDIENCE, lifetime, from: call.machine_now() };
        let issued = self.issuer.issue_token(&caller, terms, call.machine_now()).await?;
        let mut answer = AccessToken {
            token_type: "Bearer".to_owned(),
            expires_at: Some(issued.expires_at),
            identity_id: identity.id.clone(),
            realm: identity.realm,
            session_id: session.id.clone(),
            key_id: issued.key_id,
            session_expires_at: session.expires_at,
            needs_second_factor: lacks.second_factor,
            needs_proved_email: lacks.proved_email,
            ..AccessToken::default()
        };
        if session.cookie {
            call.set_cookie(cookie::build_access(&issued.token, lifetime, self.config.secure_cookies));
        } else {
            answer.access_token = issued.token;
        }
        Ok(answer)
    }
}

/// The time from `now` to `end`.
fn until(end: Micros, now: Micros) -> Duration {
    Duration::from_micros(u64::try_from(end.saturating_sub(now)).unwrap_or(0))
}

/// A network address without the part that tells one household from another; empty for what is no address.
pub(crate) fn mask_address(address: &str) -> String {
    match address.chars().take(LONGEST_ADDRESS).collect::<String>().parse() {
        Ok(std::net::IpAddr::V4(address)) => {
            let [a, b, c, _] = address.octets();
            format!("{a}.{b}.{c}.x")
        }
        Ok(std::net::IpAddr::V6(address)) => match address.to_ipv4_mapped() {
            Some(address) => mask_address(&address.to_string()),
            None => {
                let [a, b, c, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}::x")
            }
        },
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_kept_without_its_last_part() {
        assert_eq!(mask_address("203.0.113.9"), "203.0.113.x");
        assert_eq!(mask_address("::ffff:203.0.113.9"), "203.0.113.x");
        assert_eq!(mask_address("2001:db8:1:2:3:4:5:6"), "2001:db8:1::x");
        for other in ["", "localhost", "203.0.113.9, 10.0.0.1", "203.0.113.9\n"] {
            assert_eq!(mask_address(other), "", "{other:?}");
        }
    }
}
