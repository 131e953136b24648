//! One processor of a domain.

use std::sync::Arc;

use pavise_kernel::table::OwnedEntity;
use pavise_kernel::{Error, MoveToOwner};

/// The domain that keeps the record.
pub(super) const DOMAIN: &str = "identity";
/// The worker's name in idempotency keys. All domains share it, so that a merge in progress survives a change of
/// worker.
pub(super) const NAME: &str = "identity.merge";

/// One processor of the domain.
pub(super) struct Share {
    pub(super) owned_entity: &'static OwnedEntity,
    /// Set if no call of the contract moves the things.
    pub(super) move_to_owner: Option<Arc<dyn MoveToOwner>>,
}

impl Share {
    /// Whether the contract says that this refusal passes by itself.
    pub(super) fn waits_for(&self, error: &Error) -> bool {
        self.owned_entity.transfer.as_ref().is_some_and(|transfer| transfer.waits.contains(&error.reason()))
    }
}
