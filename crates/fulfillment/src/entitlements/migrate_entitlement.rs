//! Gives an entitlement its state in another system.

use pavise_kernel::{Edit, EditContext, Result};

use super::rules::check_people;
use super::support::state_elsewhere::{overwrite_state, require_state};
use crate::contract::v1::{Entitlement, MigrateEntitlementRequest};

impl Edit<MigrateEntitlementRequest> for Entitlement {
    /// Overwrites it. Fields that only this platform knows stay.
    fn edit(&mut self, request: &MigrateEntitlementRequest, _context: &EditContext) -> Result<()> {
        let state = require_state(request.state.clone())?;
        check_people("state.authorized_users", &request.identity_id, &state.authorized_users)?;
        check_people("state.delegates", &request.identity_id, &state.delegates)?;
        *self = overwrite_state(std::mem::take(self), state);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{EntitlementStatus, MigratedEntitlement};

    #[test]
    fn the_state_is_overwritten_and_the_rest_stays() {
        let mut entitlement = Entitlement {
            id: "e".to_owned(),
            owner_id: "ann".to_owned(),
            status: EntitlementStatus::Active.into(),
            order_id: "order".to_owned(),
            name: "old".to_owned(),
            ..Default::default()
        };
        let migrate = |state| MigrateEntitlementRequest { state, ..Default::default() };
        assert!(entitlement.edit(&migrate(None), &EditContext::at(0)).is_err());
        let state = MigratedEntitlement { status: EntitlementStatus::Suspended.into(), ..Default::default() };
        entitlement.edit(&migrate(Some(state)), &EditContext::at(0)).unwrap();
        let kept = (entitlement.id.as_str(), entitlement.owner_id.as_str(), entitlement.order_id.as_str());
        assert_eq!(kept, ("e", "ann", "order"));
        assert_eq!((entitlement.status(), entitlement.name.as_str()), (EntitlementStatus::Suspended, ""));
    }
}
