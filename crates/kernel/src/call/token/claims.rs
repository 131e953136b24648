//! The claims of a token.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::call::access;
use crate::call::caller::{Caller, Impersonator};
use crate::call::held_scopes::{ScopeClaims, Scopes};
use crate::time::Micros;

/// The issuer of the platform's tokens.
pub const ISSUER: &str = "pavise";
/// The audience of tokens that give access to calls.
pub const AUDIENCE: &str = "pavise";
pub(super) const SECOND: Micros = 1_000_000;

/// The claims of a token. Times are seconds since the epoch.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are those of RFC 7519 and of the caller")]
pub struct Claims {
    pub iss: String,
    pub aud: String,
    pub sub: String,
    pub realm: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sub_type: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub permissions: BTreeMap<String, Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    #[serde(default, skip_serializing_if = "ScopeClaims::is_empty")]
    pub scopes: ScopeClaims,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ver: i64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sid: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub auth_time: i64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub app: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<Actor>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub jti: String,
    pub iat: i64,
    /// The microseconds of `iat` after the full second.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub iat_us: i64,
    pub nbf: i64,
    pub exp: i64,
}

/// The identity that acts in the subject's name (RFC 8693 §4.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// The acting identity.
    pub sub: String,
    /// Whether it may write.
    pub write: bool,
    /// The session from which it acts.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sid: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &i64) -> bool {
    *number == 0
}

impl Claims {
    /// The claims of a token for `caller` that is made at `now` and valid for `lifetime`.
    #[must_use]
    pub fn of(caller: &Caller, lifetime: Duration, now: Micros) -> Self {
        let seconds = now.div_euclid(SECOND);
        let lifetime = i64::try_from(lifetime.as_secs()).unwrap_or(i64::MAX);
        let (groups, scopes) = caller.scopes.claims();
        Self {
            iss: ISSUER.to_owned(),
            aud: AUDIENCE.to_owned(),
            sub: caller.identity.clone(),
            realm: access::realm_name(caller.realm).to_owned(),
            sub_type: caller.sub_type.clone(),
            permissions: caller.permissions.clone(),
            groups,
            scopes,
            ver: caller.version,
            sid: caller.session.clone(),
            auth_time: caller.proved_at.map_or(0, |at| at.div_euclid(SECOND)),
            app: caller.application.clone(),
            act: caller.actor.as_ref().map(|actor| Actor {
                sub: actor.identity.clone(),
                write: actor.may_write,
                sid: actor.session.clone(),
            }),
            jti: String::new(),
            iat: seconds,
            iat_us: now.rem_euclid(SECOND),
            nbf: seconds,
            exp: seconds.saturating_add(lifetime),
        }
    }

    /// The bearer, if the claims name one.
    #[must_use]
    pub fn caller(&self) -> Option<Caller> {
        Some(Caller {
            identity: Some(self.sub.clone()).filter(|sub| !sub.is_empty())?,
            realm: access::realm_of(&self.realm)?,
            sub_type: self.sub_type.clone(),
            permissions: self.permissions.clone(),
            scopes: Scopes::of_claims(&self.groups, &self.scopes),
            version: self.ver,
            session: self.sid.clone(),
            proved_at: (self.auth_time > 0).then(|| self.auth_time.saturating_mul(SECOND)),
            application: self.app.clone(),
            actor: match &self.act {
                Some(act) if act.sub.is_empty() => return None,
                Some(act) => {
                    Some(Impersonator { identity: act.sub.clone(), may_write: act.write, session: act.sid.clone() })
                }
                None => None,
            },
            expires_at: None,
            has_mesh_secret: false,
        })
    }
}
