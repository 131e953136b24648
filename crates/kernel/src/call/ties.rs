//! Ties: a scope and an owner that a request names belong together, where the contract says `ties`.
//!
//! A role in a scope gives no right to name anybody as an owner: an administrator orders for the members of their group,
//! and for no others. The kernel asks before the call runs, so that the call writes nothing for a stranger.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pavise_contract::table::Realm;

use crate::call::Call;
use crate::entity::aggregate::Target;
use crate::error::{Common, Error, Result};
use crate::kernel::Kernel;
use crate::port::store::storable;

pub use crate::entity::tie_claim::TieClaim;

/// Knows which identities belong to which scopes. A domain with such calls provides one ([`Kernel::provide`]).
#[async_trait]
pub trait TieBackend: fmt::Debug + Send + Sync + 'static {
    /// Whether the owner exists, and can own things, and whether the scope is open.
    ///
    /// # Errors
    /// When a peer does not answer.
    async fn exists(&self, call: &Call, tied: TieClaim<'_>) -> Result<TieAnswer>;

    /// Whether the owner exists and belongs to the scope, and whether the scope is open. It takes the same steps for every
    /// owner, so that its time does not tell who exists.
    ///
    /// # Errors
    /// When a peer does not answer.
    async fn holds(&self, call: &Call, tied: TieClaim<'_>) -> Result<TieAnswer>;
}

/// The answer about a scope and an owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TieAnswer {
    /// The owner is one whom the request may name.
    pub holds: bool,
    /// The scope exists, and takes orders and payments.
    pub open: bool,
}

/// The backend that a domain with ties provides.
#[derive(Debug, Clone)]
pub struct TieChecker(Arc<dyn TieBackend>);

impl TieChecker {
    /// The ties of a backend.
    pub fn new(backend: impl TieBackend) -> Self {
        Self(Arc::new(backend))
    }

    fn of(kernel: &Kernel) -> Result<Arc<dyn TieBackend>> {
        Ok(kernel.find_provided::<Self>()?.0.clone())
    }
}

/// Checks the scopes and the owners that a request names.
///
/// # Errors
/// `NOT_TIED` when an owner belongs to another scope, or does not exist; `INVALID_FIELD` for a scope that does not exist or is
/// over.
pub(crate) async fn check(call: &Call, request: &dyn Target) -> Result<()> {
    let caller = call.caller();
    for tied in request.ties().into_iter().filter(|tied| !tied.spares.contains(&caller.realm)) {
        let answer = match caller.realm {
            _ if !storable(tied.scope) || !storable(tied.owner) => TieAnswer { holds: false, open: false },
            Realm::Internal | Realm::Machine => TieChecker::of(call.kernel())?.exists(call, tied).await?,
            // The access rule has checked the caller's own role in the scope.
            Realm::GroupAdmin | Realm::Partner if tied.owner == caller.identity => {
                TieAnswer { holds: true, ..TieChecker::of(call.kernel())?.exists(call, tied).await? }
            }
            _ => TieChecker::of(call.kernel())?.holds(call, tied).await?,
        };
        if !answer.holds {
            return Err(refusal(tied));
        }
        if !answer.open {
            let kind = tied.kind.spelling().to_lowercase();
            return Err(Error::field(format!("{kind}_id"), format!("names no {kind} that is ACTIVE")));
        }
    }
    Ok(())
}

/// The refusal is the same for an owner of another scope and for one who does not exist.
fn refusal(tied: TieClaim<'_>) -> Error {
    let kind = tied.kind.spelling().to_lowercase();
    let message = format!("{}: names nobody who belongs to this {kind}", tied.field);
    Error::new(Common::NotTied, message).violation(tied.field, format!("names nobody who belongs to this {kind}"))
}
