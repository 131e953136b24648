//! Callers by name: a token names its bearer.

use std::collections::BTreeMap;
use std::sync::Arc;

use pavise_kernel::caller::{APPLICATION, Caller, Impersonator, Realm, Verifier};
use pavise_kernel::error::Common;
use pavise_kernel::peers::Credential;
use pavise_kernel::table::ScopeKind;
use pavise_kernel::time::Micros;
use pavise_kernel::{Error, Result, Scope, async_trait};
use tonic::Request;

/// Tokens of the form `Realm/identity/scope…`, as `User/alice` or `GroupAdmin/boss/acme`; `Realm/identity@actor` is an
/// impersonation by the actor, which is read-only for `@actor:reads`. Machines and staff have all permissions, or only those that the token names, as
/// `Internal/sue/+orders.orders.read`. A scope is an administered group, `acme`, or has a role,
/// `acme:FILE_ADMINISTRATOR`, and a kind, `BRANCH=b1:LAWYER`. A division has its group, `DIVISION=west@acme`. People
/// proved themselves a moment ago, but for a part `!`.
#[derive(Debug, Clone, Copy)]
pub struct NamedTokens;

/// The end of an actor's name who may not write.
const READS: &str = ":reads";
/// The part of a caller whose proof is not fresh.
const STALE: &str = "!";

#[async_trait]
impl Verifier for NamedTokens {
    async fn verify(&self, token: &str, now: Micros) -> Result<Arc<Caller>> {
        let mut parts = token.split('/');
        let realm = parts.next().and_then(pavise_kernel::access::realm_of);
        let realm = realm.ok_or_else(|| Error::new(Common::TokenInvalid, "no realm"))?;
        let named = parts.next().unwrap_or_default();
        let (identity, actor) =
            named.split_once('@').map_or((named, None), |(identity, actor)| (identity, Some(actor)));
        let parts: Vec<&str> = parts.collect();
        let proved_at = (realm != Realm::Machine && actor.is_none() && !parts.contains(&STALE)).then_some(now);
        let parts = parts.into_iter().filter(|part| *part != STALE);
        let (allowed, scopes): (Vec<&str>, Vec<&str>) =
            parts.filter(|part| !part.is_empty()).partition(|part| part.starts_with('+'));
        let permissions = match realm {
            Realm::Machine | Realm::Internal if allowed.is_empty() => vec!["*".to_owned()],
            _ => allowed.into_iter().map(|one| one.trim_start_matches('+').to_owned()).collect(),
        };
        Ok(Arc::new(Caller {
            identity: identity.to_owned(),
            realm,
            scopes: scopes.into_iter().map(scope).collect(),
            permissions: BTreeMap::from([(APPLICATION.to_owned(), permissions)]),
            proved_at,
            actor: actor.map(|named| Impersonator {
                identity: named.trim_end_matches(READS).to_owned(),
                may_write: !named.ends_with(READS),
                ..Impersonator::default()
            }),
            ..Caller::default()
        }))
    }
}

/// The scope of that name.
fn scope(name: &str) -> Scope {
    let (kind, name) = name.split_once('=').unwrap_or(("GROUP", name));
    let kind = ScopeKind::from_spelling(kind).unwrap_or_default();
    let administrator = kind.roles().first().copied().unwrap_or_default();
    let (id, role) = name.split_once(':').unwrap_or((name, administrator));
    match id.split_once('@').filter(|_| kind.within() != ScopeKind::Unspecified) {
        Some((inner, outer)) => Scope::new(kind, inner, &[role]).within(outer),
        None => Scope::new(kind, id, &[role]),
    }
}

impl Credential for NamedTokens {
    fn token(&self, _now: Micros) -> String {
        "Machine/platform".to_owned()
    }
}

/// A request of a caller; without a token for an empty name.
///
/// # Panics
/// When the name cannot stand in a header.
#[expect(clippy::unwrap_used, reason = "names are written in tests")]
pub fn request_by<M>(who: &str, message: M) -> Request<M> {
    let mut request = Request::new(message);
    if !who.is_empty() {
        request.metadata_mut().insert("authorization", format!("Bearer {who}").parse().unwrap());
    }
    request
}

/// The same with an idempotency key.
///
/// # Panics
/// When the name or the key cannot stand in a header.
#[expect(clippy::unwrap_used, reason = "keys are written in tests")]
pub fn request_with_key<M>(who: &str, key: &str, message: M) -> Request<M> {
    let mut request = request_by(who, message);
    request.metadata_mut().insert("idempotency-key", key.parse().unwrap());
    request
}
