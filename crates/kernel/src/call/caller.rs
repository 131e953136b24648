//! The caller of a call, and the verifier that reads the caller from a token.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
pub use pavise_contract::table::Realm;

use crate::call::held_scopes::Scopes;
use crate::error::{Error, Result};
use crate::time::Micros;

/// The application that the platform's own permissions belong to.
pub const APPLICATION: &str = "pavise";

/// The claims of a token about its bearer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Caller {
    /// The identity; empty for a caller without a token.
    pub identity: String,
    /// The realm; unspecified for a caller without a token.
    pub realm: Realm,
    /// The kind of identity within the realm.
    pub sub_type: String,
    /// Permissions by application.
    pub permissions: BTreeMap<String, Vec<String>>,
    /// The scopes in which the caller has roles.
    pub scopes: Scopes,
    /// The version of the identity that the roles were read from; 0 if the token does not say it.
    pub version: i64,
    /// The sign-in session; empty for machines.
    pub session: String,
    /// The time when the caller last proved themselves in the session; `None` for a program.
    pub proved_at: Option<Micros>,
    /// The application that the token was given to; empty for none.
    pub application: String,
    /// The identity that really acts, when it impersonates `identity`.
    pub actor: Option<Impersonator>,
    /// The time when the token expires; `None` for a caller without a token.
    pub expires_at: Option<Micros>,
    /// Whether the token was made with the mesh secret, which the parts of the platform alone have.
    pub has_mesh_secret: bool,
}

/// An identity that acts in the name of another one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Impersonator {
    /// The acting identity.
    pub identity: String,
    /// Whether the impersonation was granted for writes, too.
    pub may_write: bool,
    /// The session from which it acts; empty for none.
    pub session: String,
}

impl Caller {
    /// The realm whose masks the caller gets: staff who act in somebody's name stay staff.
    #[must_use]
    pub fn mask_realm(&self) -> Realm {
        if self.actor.is_some() { Realm::Internal } else { self.realm }
    }

    /// A caller without a token.
    #[must_use]
    pub fn anonymous() -> Self {
        Self::default()
    }

    /// A part of the platform itself, named as it appears in journals.
    #[must_use]
    pub fn platform(name: &str) -> Self {
        let permissions = BTreeMap::from([(APPLICATION.to_owned(), vec!["*".to_owned()])]);
        Self { identity: name.to_owned(), realm: Realm::Machine, permissions, ..Self::default() }
    }

    /// Whether there is no token.
    #[must_use]
    pub fn is_anonymous(&self) -> bool {
        self.identity.is_empty()
    }

    /// Whether the caller has a permission of the platform: by name, by a prefix (`billing.*`) or by all (`*`).
    #[must_use]
    pub fn has(&self, permission: &str) -> bool {
        let Some(given) = self.permissions.get(APPLICATION) else { return false };
        given.iter().any(|one| match one.strip_suffix('*') {
            Some(prefix) => permission.starts_with(prefix),
            None => one == permission,
        })
    }

    /// The identity that journals name as the actor.
    #[must_use]
    pub fn actor_identity(&self) -> &str {
        self.actor.as_ref().map_or(&self.identity, |actor| &actor.identity)
    }

    /// The impersonated identity; empty without impersonation.
    #[must_use]
    pub fn on_behalf_of(&self) -> &str {
        if self.actor.is_some() { &self.identity } else { "" }
    }
}

/// Reads tokens.
#[async_trait]
pub trait Verifier: Send + Sync + std::fmt::Debug + 'static {
    /// The caller that `token` names. All calls with one token share it.
    ///
    /// # Errors
    /// `TOKEN_INVALID` or `TOKEN_EXPIRED`.
    async fn verify(&self, token: &str, now: Micros) -> Result<Arc<Caller>>;
}

/// Refuses every token, for a server without keys.
#[derive(Debug, Clone, Copy)]
pub struct NoTokens;

#[async_trait]
impl Verifier for NoTokens {
    async fn verify(&self, _token: &str, _now: Micros) -> Result<Arc<Caller>> {
        Err(Error::new(crate::error::Common::TokenInvalid, "this server knows no token keys"))
    }
}
