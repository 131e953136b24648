//! Gives an entitlement to another holder, because the first one was wrong.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Entitlement, ReassignOwnerRequest};

impl Edit<ReassignOwnerRequest> for Entitlement {
    /// Gives it to the new holder without the people of the first one.
    fn edit(&mut self, request: &ReassignOwnerRequest, _context: &EditContext) -> Result<()> {
        if self.owner_id != request.new_owner_id {
            self.owner_id.clone_from(&request.new_owner_id);
            self.authorized_users.clear();
            self.delegates.clear();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::EntitlementPerson;

    #[test]
    fn the_people_of_the_first_holder_are_removed() {
        let mut entitlement = Entitlement {
            owner_id: "ann".to_owned(),
            authorized_users: vec![EntitlementPerson::default()],
            delegates: vec![EntitlementPerson::default()],
            ..Default::default()
        };
        let to = |owner: &str| ReassignOwnerRequest { new_owner_id: owner.to_owned(), ..Default::default() };
        entitlement.edit(&to("ann"), &EditContext::at(0)).unwrap();
        assert_eq!(entitlement.delegates.len(), 1, "the holder stays");
        entitlement.edit(&to("ben"), &EditContext::at(0)).unwrap();
        assert_eq!(entitlement, Entitlement { owner_id: "ben".to_owned(), ..Default::default() });
    }
}
