//! Whether the caller of a call may know of an entity.

use std::collections::HashSet;

use crate::call::Call;
use crate::call::access::{self, EntityScope};
use crate::call::caller::Caller;
use crate::entity::aggregate::Aggregate;
use crate::error::Result;

/// Whether an entity is kept from a caller, unless the aggregate admits the caller to it.
pub(crate) fn is_withheld_from<A: Aggregate>(caller: &Caller, entity: &A) -> bool {
    entity.is_withheld() && !access::reads_all(caller)
}

impl Call {
    /// Whether the caller may know of an entity. A withheld one counts as unknown, also to callers whom its aggregate admits.
    #[must_use]
    pub fn can_see<A: Aggregate>(&self, entity: &A) -> bool {
        !is_withheld_from(self.caller(), entity) && self.can_see_shown(entity)
    }

    /// Whether the caller may know of an entity that is not withheld from them.
    pub(crate) fn can_see_shown<A: Aggregate>(&self, entity: &A) -> bool {
        let parts = self.parts();
        let own = parts.method.aggregate.is_some_and(|table| table.name == A::TABLE.name);
        if own && parts.scope.iter().any(|(field, value)| entity.scope_value(field) != Some(value)) {
            return false;
        }
        if let Some(parent) = A::PARENT {
            return self.admits(parent, entity.parent_id());
        }
        if A::TABLE.shared && !access::can_see_status(A::TABLE, &parts.caller, entity.head().status) {
            return false;
        }
        if !self.reaches(entity) {
            return false;
        }
        let owner = parts.owner.as_deref().filter(|_| !A::TABLE.shared);
        let belongs = EntityScope { owner: entity.head().owner_id, scopes: &entity.scopes() };
        access::can_see_entity(parts.method, &parts.caller, (owner, &parts.named()), A::TABLE, belongs)
    }

    /// The ids of those entities that are withheld from the caller, and that their aggregate admits the caller to. It is
    /// asked once, and only if there are any.
    ///
    /// # Errors
    /// When that cannot be found out.
    pub(crate) async fn admitted_ids<A: Aggregate>(&self, entities: &[A]) -> Result<HashSet<String>> {
        let withheld: Vec<A> =
            entities.iter().filter(|entity| is_withheld_from(self.caller(), *entity)).cloned().collect();
        if withheld.is_empty() {
            return Ok(HashSet::new());
        }
        let admitted = A::admit(self, withheld).await?;
        Ok(admitted.iter().map(|entity| entity.head().id.to_owned()).collect())
    }
}
