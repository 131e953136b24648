//! Notes the identities that were made for invited people, and forgets those whose roles are gone.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Group, RecordGrantedRolesRequest};

impl Edit<RecordGrantedRolesRequest> for Group {
    fn edit(&mut self, request: &RecordGrantedRolesRequest, _: &EditContext) -> Result<()> {
        for invited in &request.invited {
            let is_held = self.authorized_identities.iter().any(|person| person.identity_id == invited.identity_id);
            let person = self.authorized_identities.iter_mut().find(|person| person.id == invited.id);
            if let Some(person) = person.filter(|person| person.identity_id.is_empty() && !is_held) {
                person.identity_id.clone_from(&invited.identity_id);
            }
        }
        self.former_identity_ids.retain(|id| !request.former_identity_ids.contains(id));
        Ok(())
    }
}
