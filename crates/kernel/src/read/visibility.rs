//! Whether the caller of a call may know of an entity.

use crate::call::Call;
use crate::call::access::{self, EntityScope};
use crate::entity::aggregate::Aggregate;

impl Call {
    /// Whether the caller may know of an entity.
    #[must_use]
    pub fn can_see<A: Aggregate>(&self, entity: &A) -> bool {
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
}
