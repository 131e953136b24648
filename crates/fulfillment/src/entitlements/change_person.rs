//! Gives a person on an entitlement another id, after two identities turned out to be one.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{ChangePersonRequest, Entitlement};

impl Edit<ChangePersonRequest> for Entitlement {
    /// Replaces the id on both lists. The holder, and a person who is on the list under the new id, are not named twice.
    fn edit(&mut self, request: &ChangePersonRequest, _context: &EditContext) -> Result<()> {
        let (from, to) = (&request.person_id, &request.new_person_id);
        if self.owner_id == *to {
            return Ok(());
        }
        for list in [&mut self.authorized_users, &mut self.delegates] {
            if list.iter().any(|known| known.id == *to) {
                continue;
            }
            for known in list.iter_mut().filter(|known| known.id == *from) {
                known.id.clone_from(to);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::EntitlementPerson;

    #[test]
    fn changed_person_is_named_once() {
        let people = |ids: &[&str]| -> Vec<EntitlementPerson> {
            ids.iter().map(|id| EntitlementPerson { id: (*id).to_owned(), ..Default::default() }).collect()
        };
        let changed = |to: &str| {
            let mut entitlement = Entitlement {
                owner_id: "holder".to_owned(),
                authorized_users: people(&["old", "ann"]),
                delegates: people(&["old", "new"]),
                ..Default::default()
            };
            let request =
                ChangePersonRequest { person_id: "old".to_owned(), new_person_id: to.to_owned(), ..Default::default() };
            entitlement.edit(&request, &EditContext::at(0)).unwrap();
            (entitlement.authorized_users, entitlement.delegates)
        };
        assert_eq!(changed("new"), (people(&["new", "ann"]), people(&["old", "new"])));
        assert_eq!(changed("holder"), (people(&["old", "ann"]), people(&["old", "new"])));
    }
}
